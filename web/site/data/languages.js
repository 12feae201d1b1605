// The languages as layouts and scripts without imports need them.
import { LANGUAGES } from '../../shared/languages.js';

/** `source`: of the pattern of the tags that ask for the language. */
export default LANGUAGES.map(({ key, tag, name, tags: { source } }) => ({
  key,
  tag,
  name,
  source,
}));
