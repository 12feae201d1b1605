// The script of both articles.
import { startPage } from './start-page.js';

startPage();
