// The frame around a figure's picture: claim, controls, read-out, actions, caption.

import { html, nothing } from 'lit';
import { aboutLanguage } from '../../../shared/languages.js';
import { keysOf } from '../../../shared/keys.js';
import { times } from '../../../shared/times.js';
import { isStacked, STACK_BELOW, textWidth } from '../chart/chart.js';
import { chosenNames } from '../state/chosen.js';
import { control } from './controls.js';
import { download } from './download.js';
import { embed, share } from './embed.js';
import { note, prose } from './prose.js';
import { dataTables, readoutGroup } from './readout.js';
import { hasPicture, hasRest, putPicturesAway } from './rest.js';
import { createFormat } from '../state/language.js';
import { attributeName } from '../state/state.js';

/**
 * @import { FigureElement as Figure } from '../element/figure.js'
 * @import { AnyFigureSpec, AnyView, ReadoutGroup } from '../spec.js'
 * @import { From } from './controls.js'
 */

/**
 * Draws some controls.
 * @param {Figure} figure
 * @param {readonly string[]} keys
 * @param {string} [main] the key of the main control
 */
function fields(figure, keys, main) {
  const { spec, state, kit, language } = figure;
  const text = spec.messages[language];
  return keys.map((key) =>
    control(key, {
      field: spec.fields[key],
      value: state[key],
      label: text.fields[key],
      hint: text.hints?.[key],
      options: text.options ?? {},
      kit,
      main: key === main ? { stays: figure.mayStay, columns: axisOf(figure, key) } : undefined,
      change: (name, value, settled) => figure.change(name, value, settled),
    }),
  );
}

/** The axes under sliders, by view. @type {WeakMap<AnyView, ReturnType<NonNullable<AnyFigureSpec['axis']>>>} */
const axes = new WeakMap();

/** Room for the number field beside a slider, in pixels, and the size of its label, in usual text. */
const NUMBER_ROOM = 84;
const LABEL_SIZE = 15;

/**
 * Returns where an axis begins and how long it is, in CSS: the margins of a narrow picture have a size in pixels, all
 * else grows with the width.
 * @param {{ left: number, right: number }} axis
 * @param {number} width  of the picture
 * @param {number} scale  at which it is shown
 */
function columnsOf({ left, right }, width, scale) {
  if (width < STACK_BELOW) {
    const [begin, margins] = [left, width - right + left].map(
      (part) => `${Math.round(scale * part)}px`,
    );
    return `--left: ${begin}; --across: calc(100cqi - ${margins})`;
  }
  const [begin, across] = [left, right - left].map(
    (part) => `${Math.round((1e4 * part) / width) / 100}cqi`,
  );
  return `--left: ${begin}; --across: ${across}`;
}

/**
 * Returns the columns of a slider that lies along its axis, if its label and its number have room beside it.
 * @param {Figure} figure
 * @param {string} key
 */
function axisOf(figure, key) {
  const view = figure.view();
  if (view.data === undefined || view.width === 0 || figure.isBeside) return undefined;
  if (view.width < STACK_BELOW && !isStacked(view.width, figure.spec.aspect)) return undefined; // half of a narrow column
  if (!axes.has(view)) axes.set(view, figure.spec.axis?.(view, key));
  const axis = axes.get(view);
  if (!axis) return undefined;
  const { figureWidth, textScale } = figure;
  const [left, right] = [axis.left, axis.right].map((end) => end / view.width);
  const label = textWidth(view.text.fields[key].replaceAll('_', ''), LABEL_SIZE * textScale);
  const hasRoom = left * figureWidth > label && (1 - right) * figureWidth > NUMBER_ROOM * textScale;
  return hasRoom ? columnsOf(axis, view.width, figureWidth / view.width) : undefined;
}

/** Returns the field of the panel that a narrow figure shows alone. @param {Figure} figure */
function ownField(figure) {
  const { spec, panelsInTurn } = figure;
  const { width } = figure.view();
  const isSingle = panelsInTurn.length > 0 && width > 0 && isStacked(width, spec.aspect);
  if (!spec.controlOf || !isSingle) return '';
  const [shown] = figure.panelsAt(width) ?? [];
  return spec.controlOf[shown];
}

/**
 * Returns the fields with a visible control, those under "more", and the names that no field has. The
 * controls that the page names are the only ones; a compact figure has its main one.
 * @param {Figure} figure
 * @returns {{ visible: readonly string[], more: readonly string[], unknown: readonly string[] }}
 */
function arrangement(figure) {
  const { spec, controls, compact } = figure;
  if (/^\s*none\b/.test(controls)) return { visible: [], more: [], unknown: [] };
  const keys = Object.keys(spec.fields).filter((key) => spec.fields[key].kind !== 'picture');
  const { names, unknown } = chosenNames('controls', controls, keys.map(attributeName));
  const visible = keys.filter((key) => names.includes(attributeName(key)));
  if (visible.length > 0) return { visible, more: [], unknown };
  if (compact) return { visible: spec.visible.slice(0, 1), more: [], unknown };
  const own = ownField(figure);
  const usual = own
    ? [own, ...spec.visible.slice(1)]
    : keys.filter((key) => spec.visible.includes(key));
  return { visible: usual, more: keys.filter((key) => !usual.includes(key)), unknown };
}

/** Draws the button that plays the film, or stops it. @param {Figure} figure */
function playButton(figure) {
  const { spec, kit, isPlaying, compact } = figure;
  if (!spec.film || compact) return nothing;
  return html`<button part="play" @click=${() => figure.play()}>
    ${isPlaying ? kit.stop : kit.play}
  </button>`;
}

/** Draws the control line, and further controls under "more". @param {Figure} figure */
function controlLine(figure) {
  const { visible, more } = arrangement(figure);
  if (visible.length + more.length === 0) return nothing;
  const main = ownField(figure) || visible.find((key) => figure.spec.fields[key].slider);
  return html`<div class="controls" part="controls">
    ${fields(figure, visible, main)}${playButton(figure)}
    ${
      more.length === 0
        ? nothing
        : html`<details>
            <summary>${figure.kit.more}</summary>
            <div class="fields">${fields(figure, more)}</div>
          </details>`
    }
  </div>`;
}

/** Draws the buttons and the progress of long work. @param {Figure} figure */
function runLine(figure) {
  if (!figure.spec.run || figure.compact) return nothing;
  const { kit, language, progress, secondsLeft = 0 } = figure;
  const left = createFormat(language).significant(secondsLeft, 1);
  return html`<div class="run">
    <button
      class="primary"
      part="run"
      aria-disabled=${figure.busy || nothing}
      @click=${() => figure.run()}
    >
      ${kit.run}
    </button>
    <button
      part="cancel"
      @click=${(/** @type {any} */ { target }) => {
        figure.cancel();
        target.previousElementSibling.focus(); // this one goes
      }}
    >
      ${kit.cancel}
    </button>
    ${
      progress === undefined
        ? nothing
        : html`<progress max="1" .value=${progress} aria-label=${kit.progress}></progress>
            ${secondsLeft < 1 ? nothing : html`<span class="left">${kit.left(left)}</span>`}`
    }
  </div>`;
}

/** Draws the way through the picture. @param {Figure} figure */
function lead(figure) {
  const { spec, mayStay, compact } = figure;
  if (!spec.lead || compact) return nothing;
  return html`<div class=${mayStay ? 'lead stays' : 'lead'}>
    ${spec.lead(figure.view(), figure.change.bind(figure), figure.language)}
  </div>`;
}

/**
 * Returns the style that reserves room for some of the panels; that for all is in the style sheet.
 * @param {Figure} figure
 */
function reserved({ spec: { layout }, chosenPanels: { shown } }) {
  if (!shown || !layout) return '';
  const share = (/** @type {number} */ width) => layout(width, shown.length).height / width;
  return `--wide: ${share(2 * STACK_BELOW)}; --narrow: ${share(STACK_BELOW / 2)}`;
}

/** Draws the choice of a panel where there is room for one. @param {Figure} figure */
function panelChoice(figure) {
  const { spec, kit, language, panelsInTurn } = figure;
  if (panelsInTurn.length === 0) return nothing;
  /** @type {Record<string, string>} */
  const names = spec.messages[language].panels;
  const [shown] = figure.panelsAt(0) ?? [];
  return html`<div class="turns" part="turns" role="group" aria-label=${kit.panels}>
    ${panelsInTurn.map(
      (name) =>
        html`<button aria-pressed=${name === shown} @click=${() => figure.showPanel(name)}>
          ${names[name]}
        </button>`,
    )}
  </div>`;
}

/** Draws the place of the picture. @param {Figure} figure */
function plot(figure) {
  if (figure.isOnPaper && !hasPicture(figure)) {
    return html`<p class="note">${figure.kit.notDrawn}</p>`;
  }
  if (figure.data === undefined || figure.still) {
    return html`<div class="plot empty" part="plot" .style=${reserved(figure)}>
      <slot name="fallback"></slot><slot></slot>
    </div>`;
  }
  const { spec } = figure;
  const pick = (/** @type {PointerEvent} */ event) => figure.pick(event);
  const { width, panels: shown } = figure.view();
  const stacked = isStacked(figure.view().width, figure.spec.aspect) ? 'stacked' : '';
  const scale = figure.pictureWidth / width;
  return html`<div class="plot ${stacked}" part="plot" @click=${pick} @pointermove=${pick}>
    ${times(spec.pictures ? (shown ?? spec.panels ?? []).length : 1, () => html`<svg></svg>`)}
    <div class="overlay" .style=${scale > 1 ? `transform: scale(${scale})` : ''}>
      ${spec.overlay?.(figure.view(), figure.change.bind(figure))}
    </div>
  </div>`;
}

/** Leaves the first line of each group. @param {ReadoutGroup[]} groups */
const shortened = (groups) => groups.map((group) => ({ ...group, rows: group.rows.slice(0, 1) }));

/**
 * Draws the place of the children that are no picture. It is there at all times, since children may
 * come later.
 * @param {Figure} figure
 */
function rest(figure) {
  if (figure.data === undefined || figure.still) return nothing;
  putPicturesAway(figure);
  const look = () => figure.requestUpdate();
  return html`<div class="rest" ?hidden=${!hasRest(figure)}>
    <slot @slotchange=${look}></slot>
  </div>`;
}

/** Draws the button that unfolds a narrow figure. @param {Figure} figure */
function foldButton(figure) {
  const { isUnfolded, kit } = figure;
  const turn = () => {
    figure.isUnfolded = !isUnfolded;
    figure.requestUpdate();
  };
  return html`<button class="fold" part="fold" aria-expanded=${isUnfolded} @click=${turn}>
    ${isUnfolded ? kit.fold : kit.unfold}
  </button>`;
}

/** Returns whether a figure leaves out its numbers and its caption: a compact one whose whole picture is shown. */
const isPictureOnly = (/** @type {Figure} */ { compact, spec }) => compact && !spec.main;

/** Draws the read-out. @param {Figure} figure */
function readout(figure) {
  const { spec, kit, pinned } = figure;
  if (isPictureOnly(figure)) return nothing;
  const view = figure.view();
  const groups = figure.compact ? shortened(spec.readout(view)) : spec.readout(view);
  const context = { format: view.format, kit, pinned, pin: figure.pin.bind(figure) };
  return html`<div class="readout" part="readout">
      ${groups.map((group) => readoutGroup(group, context))}
    </div>
    ${spec.note && !figure.compact ? html`<p class="note">${note(spec.note(view))}</p>` : nothing}`;
}

/** Draws the caption: of a compact figure its first sentence, which says of what the numbers are. @param {Figure} figure */
function caption(figure) {
  if (isPictureOnly(figure)) return nothing;
  const whole = figure.spec.caption(figure.view());
  return note(figure.compact ? (/^.*?(?:。|\.(?=\s|$))/.exec(whole)?.[0] ?? whole) : whole);
}

/** @typedef {{ pinned: string, title: unknown, readout: unknown, caption: unknown }} Words */

/** The words of views. @type {WeakMap<AnyView, Words>} */
const known = new WeakMap();

/**
 * Returns the words around the picture, made once for a view, since every move of a control draws the
 * frame around them again.
 * @param {Figure} figure
 * @returns {Words}
 */
function wordsOf(figure) {
  const { spec, pinned } = figure;
  const view = figure.view();
  const last = known.get(view);
  if (last?.pinned === pinned) return last;
  const words = {
    pinned,
    title: prose(spec.title(view)),
    readout: readout(figure),
    caption: caption(figure),
  };
  known.set(view, words);
  return words;
}

/** Draws what the figure has below its read-out. @param {Figure} figure */
function below(figure) {
  const { spec, compact } = figure;
  if (!spec.below || compact) return nothing;
  return spec.below(figure.view(), figure.change.bind(figure));
}

/** Draws the reason of a failure, and a button to retry. @param {Figure} figure */
function failure(figure) {
  if (figure.failure === undefined) return nothing;
  return html`<div class="message" part="failure">
    <p>${figure.status}</p>
    <button class="primary" part="retry" @click=${() => figure.retry()}>${figure.kit.retry}</button>
  </div>`;
}

/** Draws a button that saves a file. @param {Figure} figure  @param {string} kind */
const downloadButton = (figure, kind) =>
  html`<button
    part=${`download-${kind}`}
    aria-label=${figure.kit.saveAs(kind.toUpperCase())}
    @click=${() => download(figure, kind)}
  >
    ${kind.toUpperCase()}
  </button>`;

/** Draws the button for a new sample. @param {Figure} figure */
function sampleButton(figure) {
  const { spec, state, kit } = figure;
  if (!spec.fields.seed) return nothing;
  return html`<button part="sample" @click=${() => figure.newSample()}>
    ${kit.sample(state.seed)}
  </button>`;
}

/** Draws the buttons below the read-out. @param {Figure} figure */
function actions(figure) {
  const { kit, tableOpen, compact } = figure;
  const offers = html`<button part="share" @click=${() => share(figure)}>${kit.share}</button>
    <button part="embed" @click=${() => embed(figure)}>${kit.embed}</button>`;
  if (compact) return html`<div class="actions">${offers}</div>`;
  return html`${foldButton(figure)}
    <div class="actions">
      ${sampleButton(figure)} ${offers}
      ${keysOf(figure.files).map((kind) => downloadButton(figure, kind))}
      <button
        part="table"
        aria-expanded=${tableOpen}
        @click=${() => {
          figure.tableOpen = !tableOpen;
          figure.requestUpdate();
        }}
      >
        ${tableOpen ? kit.hideTable : kit.showTable}
      </button>
    </div>`;
}

/** Selects all of a text. @param {From<HTMLTextAreaElement>} event */
const selectAll = ({ target }) => target.select();

/** Draws the texts to copy. @param {Figure} figure */
const shared = ({ shared }) =>
  shared.length === 0
    ? nothing
    : html`<div class="shared">
        ${shared.map(
          ({ label, text }) =>
            html`<label
              >${label}<textarea rows="3" readonly .value=${text} @focus=${selectAll}></textarea>
            </label>`,
        )}
      </div>`;

/** Draws the data as a table, once it is open. @param {Figure} figure */
function table(figure) {
  if (!figure.tableOpen || figure.data === undefined) return nothing;
  const view = figure.view();
  return html`<div class="data" part="data" role="region" tabindex="0" aria-label=${view.text.name}>
    ${dataTables(figure.spec.rows(view), { format: view.format, kit: figure.kit })}
  </div>`;
}

/** Attributes of every figure that are no fields. */
const OTHERS = ['lang', 'theme', 'controls', 'panels', 'compact'];

/** Returns an attribute with what it may be. @param {Figure} figure  @param {string} name */
function withChoices({ spec: { fields } }, name) {
  const key = Object.keys(fields).find((each) => attributeName(each) === name);
  const { options, min, max } = fields[key ?? ''] ?? {};
  const choices = options?.join(' | ') ?? (max === undefined ? '' : `${min} … ${max}`);
  return choices ? `${name} (${choices})` : name;
}

/**
 * Returns sentences about attributes that are one of the figure's but for a hyphen or the last letters.
 * @param {Figure} figure
 */
function misspelt({ spec: { fields }, attributes, kit }) {
  const known = [...Object.keys(fields).map(attributeName), ...OTHERS];
  return [...attributes].flatMap(({ name }) => {
    if (known.includes(name) || name.length < 2) return [];
    const plain = (/** @type {string} */ text) => text.replace(/[-_]/g, '');
    const isNear = (/** @type {string} */ each) =>
      plain(each) === plain(name) ||
      (name.length > 2 && (each.startsWith(name) || name.startsWith(`${each}s`)));
    const meant = known.find(isNear);
    return meant ? [kit.noAttribute(name, meant)] : [];
  });
}

/** Returns the notice of the figure. @param {Figure} figure @returns {string} the note below the numbers */
function notice(figure) {
  const { ignored, notice, kit } = figure;
  const unread = [...ignored].map((name) => withChoices(figure, name));
  const names = [...unread, ...arrangement(figure).unknown, ...figure.chosenPanels.unknown];
  const told = [names.length > 0 && kit.ignored(names.join(', ')), ...misspelt(figure), notice];
  return told.filter(Boolean).join(' ');
}

/** Returns whether the page has cut the figure to another size. @param {Figure} figure */
const isCut = ({ compact, panels, controls }) => compact || panels !== '' || controls !== '';

/** Returns the classes of a figure's frame. @param {Figure} figure  @param {boolean} isWaiting */
function classesOf(figure, isWaiting) {
  const { compact, isBeside, isUnfolded } = figure;
  const cut = isBeside ? 'compact beside' : 'compact';
  const size = compact ? cut : isUnfolded ? 'unfolded' : 'folded';
  return isWaiting && !isCut(figure) ? `${size} waiting` : size;
}

/**
 * Draws the picture that the page has placed in the element, where it stands already, in the room of the figure.
 * @param {Figure} figure
 */
const pictureAlone = ({ compact, spec, language }) =>
  html`<figure
    class=${compact ? 'compact' : 'waiting'}
    aria-label=${spec.messages[language].name.replaceAll('_', '')}
  >
    <slot name="fallback"></slot><slot></slot>
  </figure>`;

/** Returns the style of a part that keeps a height. @param {number} height  in pixels; 0: none */
const atLeast = (height) => (height > 0 ? `min-height: ${height}px` : '');

/**
 * Draws the figure around its picture.
 * @param {Figure} figure
 * @returns {unknown} the content of its shadow root
 */
export function shell(figure) {
  const { data, kit } = figure;
  const drawn = data !== undefined;
  const view = figure.view();
  const isWaiting = !figure.isLive && !figure.still && !figure.isOnPaper;
  if (isWaiting && hasPicture(figure)) return pictureAlone(figure);
  const words = drawn ? wordsOf(figure) : undefined;
  const told = notice(figure);
  const hover = (/** @type {Event} */ event) => figure.hover(event);
  const spoken = `${told} ${figure.status || kit.loading}`.trim();
  return html`<figure
      class=${classesOf(figure, isWaiting)}
      .style=${figure.compact ? `--px: ${figure.textScale}px` : atLeast(figure.room.figure)}
      lang=${aboutLanguage(figure.language).tag}
      translate="no"
      aria-labelledby="claim"
      @pointerover=${hover}
      @pointerleave=${hover}
      @focusin=${hover}
      @focusout=${hover}
    >
      <p class="title" part="title" id="claim" .style=${atLeast(figure.room.title)}>
        <slot name="title">${words ? words.title : prose(view.text.name)}</slot>
      </p>
      <fieldset class="parts" ?disabled=${!figure.isLive}>
        ${controlLine(figure)}${runLine(figure)}
        ${lead(figure)}${panelChoice(figure)}${plot(figure)}${failure(figure)}
        ${words ? words.readout : html`<div class="readout" part="readout"></div>`}
        ${drawn ? below(figure) : nothing}
        ${told ? html`<p class="note" part="notice">${told}</p>` : nothing}
        ${drawn || !figure.isLive ? actions(figure) : nothing} ${shared(figure)}${table(figure)}
      </fieldset>
      <figcaption>
        <slot name="caption">${words ? words.caption : caption(figure)}</slot>
      </figcaption>
      <p class="visually-hidden" role="status">${spoken}</p>
    </figure>
    ${rest(figure)}`;
}
