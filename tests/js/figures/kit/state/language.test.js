import assert from 'node:assert/strict';
import { it } from 'node:test';
import { languageOf } from '../../../../../web/figures/kit/state/language.js';

it('a tag of Chinese gives Chinese, with hyphens, underscores or an encoding after it', () => {
  for (const tag of ['zh', 'zh-CN', 'zh_CN', 'ZH_hans', 'zh-Hant-TW', 'zh_TW.UTF-8', 'cmn-Hans']) {
    assert.equal(languageOf(tag), 'zh', tag);
  }
});

it('any other tag gives English, also one that begins with the same letters', () => {
  for (const tag of ['en', 'en_GB', 'tlh-DE', 'zha', 'zhx-CN', '', '_zh', 'x-zh']) {
    assert.equal(languageOf(tag), 'en', tag);
  }
});
