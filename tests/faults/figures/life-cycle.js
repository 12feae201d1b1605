// Figures in great number, moved, defined twice, broken, hidden.

import { FIGURE } from './case-pages.js';

/** @import { Case } from './case-pages.js' */

/** The parts of a figure that fail, one in each of four figures. */
const BROKEN = ['compute', 'status', 'pictures', 'readout'];

/** @type {Record<string, Case>} */
export const LIFE_CYCLE = {
  'a hundred figures on a page share one kernel': {
    body: `<attn-saturation></attn-saturation><attn-scale></attn-scale><attn-precision></attn-precision>
      <attn-flow></attn-flow>${'<attn-heads></attn-heads>'.repeat(96)}`,
    // The one memory is the instance's own export.
    before: `counts = { instances: 0, memories: 0 };
      const { instantiate } = WebAssembly;
      WebAssembly.instantiate = (module) => { counts.instances++; return instantiate.call(WebAssembly, module); };
      for (const [name, count] of [['Instance', 'instances'], ['Memory', 'memories']]) {
        WebAssembly[name] = class extends WebAssembly[name] {
          constructor(...args) { super(...args); counts[count]++; }
        };
      }`,
    look: async ({ until }) => {
      const figures = [...document.querySelectorAll('body > *')];
      for (const figure of figures) {
        figure.scrollIntoView();
        await until(() => figure.shadowRoot?.querySelector('.plot > svg text'));
      }
      return { drawn: figures.length, ...Reflect.get(globalThis, 'counts') };
    },
    seen: { drawn: 100, instances: 1, memories: 0 },
  },

  'a figure moved, removed and added again a thousand times keeps its state and its listeners': {
    body: `<div id="a"><attn-saturation d-k="128"></attn-saturation></div><div id="b"></div>`,
    look: async ({ drawn, nextFrame }) => {
      const figure = await drawn('attn-saturation');
      const { addEventListener: add, removeEventListener: remove } = globalThis;
      let listeners = 1;
      globalThis.addEventListener = /** @type {any} */ (
        (/** @type {any[]} */ ...args) => {
          listeners += 1;
          return Reflect.apply(add, globalThis, args);
        }
      );
      globalThis.removeEventListener = /** @type {any} */ (
        (/** @type {any[]} */ ...args) => {
          listeners -= 1;
          return Reflect.apply(remove, globalThis, args);
        }
      );
      for (let i = 0; i < 1000; i++) {
        document.querySelector(i % 2 ? '#a' : '#b')?.append(figure);
        if (i % 100 === 0) await nextFrame();
        if (i % 3 === 0) figure.remove();
      }
      document.querySelector('#b')?.append(figure);
      Reflect.set(figure, 'keys', 32);
      await drawn('attn-saturation');
      const changed = () => figure.shadowRoot?.querySelector('.title')?.textContent ?? '';
      return {
        listeners,
        state: [Reflect.get(figure, 'dK'), Reflect.get(figure, 'keys')],
        plots: figure.shadowRoot?.querySelectorAll('.plot').length,
        says: changed().includes('128'),
      };
    },
    seen: { listeners: 1, state: [128, 32], plots: 1, says: true },
  },

  'an exception in one figure stays there, with its reason and an offer to try again': {
    body: `${FIGURE}${BROKEN.map((part) => `<attn-${part}><p slot="fallback">still</p></attn-${part}>`).join('')}`,
    look: async ({ drawn, until }) => {
      const { AttnSaturation } = await import(/** @type {string} */ ('/figures.js'));
      const parts = [...document.querySelectorAll('body > :not(attn-saturation)')].map(
        ({ localName }) => localName.replace('attn-', ''),
      );
      /** @type {Record<string, unknown[]>} */
      const seen = {};
      for (const part of parts) {
        let broken = true;
        const own = AttnSaturation.spec[part];
        class Broken extends AttnSaturation {
          static spec = {
            ...AttnSaturation.spec,
            [part]: (/** @type {any[]} */ ...args) => {
              if (broken) throw new Error(`${part} fails`);
              return own(...args);
            },
          };
        }
        customElements.define(`attn-${part}`, /** @type {any} */ (Broken));
        const figure = /** @type {HTMLElement} */ (document.querySelector(`attn-${part}`));
        figure.scrollIntoView();
        const inside = (/** @type {string} */ selector) =>
          /** @type {HTMLElement | null} */ (figure.shadowRoot?.querySelector(selector));
        // Where there is no scroll anchoring, a figure that gets smaller may leave the screen, and waits there.
        const fails = () =>
          until(() => {
            figure.scrollIntoView();
            return inside('[part~=retry]');
          });
        const works = async () => {
          await drawn(`attn-${part}`);
          await until(() => !inside('[part~=retry]'));
        };
        const still = () => (figure.querySelector('p')?.getBoundingClientRect().height ?? 0) > 0;
        await fails();
        const reason = inside('[part~=failure] p')?.textContent?.includes(`: ${part} fails`);
        seen[part] = [reason, still()];
        inside('[part~=retry]')?.click();
        await fails();
        broken = false;
        inside('[part~=retry]')?.click();
        await works();
        broken = true;
        figure.setAttribute('d-k', '65'); // a new state is tried, too
        await fails();
        broken = false;
        figure.setAttribute('d-k', '66');
        await until(() => inside('.title')?.textContent?.includes('= 66'));
        await works();
        if (part === 'compute') continue;
        broken = true;
        figure.setAttribute('lang', 'zh'); // the same numbers
        await fails();
        seen[part].push(still());
      }
      await drawn('attn-saturation');
      return seen;
    },
    seen: {
      compute: [true, true],
      status: [true, true, true],
      pictures: [true, true, true],
      readout: [true, true, true],
    },
  },

  'a thousand slider events are computed a few times, and the last one counts': {
    body: FIGURE,
    look: async ({ drawn, until }) => {
      const figure = await drawn('attn-saturation');
      const slider = /** @type {HTMLInputElement} */ (figure.shadowRoot?.querySelector('input'));
      let computed = 0;
      let settled = false;
      figure.addEventListener('attn-change', (event) => {
        computed += 1;
        settled = /** @type {CustomEvent} */ (event).detail.settled;
      });
      for (let i = 0; i < 1000; i++) {
        slider.value = String(1 + (i % 500));
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }
      await until(() => settled);
      return { few: computed <= 3, dK: Reflect.get(figure, 'dK') };
    },
    seen: { few: true, dK: 500 },
  },

  'a hidden tab computes nothing, ends long work, and goes on when it is seen again': {
    body: '<attn-training></attn-training>',
    before: `hidden = false; waiting = [];
      Object.defineProperty(document, 'hidden', { get: () => hidden });
      const real = requestAnimationFrame.bind(globalThis);
      globalThis.requestAnimationFrame = (work) => real((time) => hidden ? waiting.push(work) : work(time));
      globalThis.setHidden = (value) => {
        hidden = value;
        document.dispatchEvent(new Event('visibilitychange'));
        if (!hidden) for (const work of waiting.splice(0)) real(work);
      };`,
    look: async ({ drawn, until, sleep }) => {
      const figure = await drawn('attn-training');
      const setHidden = Reflect.get(globalThis, 'setHidden');
      const part = (/** @type {string} */ name) =>
        /** @type {HTMLElement} */ (figure.shadowRoot?.querySelector(`[part~=${name}]`));
      part('run').click();
      await until(() => Reflect.get(figure, 'busy'));
      let computed = 0;
      figure.addEventListener('attn-change', () => (computed += 1));
      setHidden(true);
      await until(() => !Reflect.get(figure, 'busy'));
      const notice = part('notice')?.textContent?.trim() ?? '';
      for (const seed of [2, 3, 4]) Reflect.set(figure, 'seed', seed);
      await sleep(200);
      const whileHidden = computed;
      setHidden(false);
      await until(() => computed > 0);
      return { notice, whileHidden, seed: Reflect.get(figure, 'seed') };
    },
    seen: { notice: 'Cancelled; what was measured stays.', whileHidden: 0, seed: 4 },
  },
};
