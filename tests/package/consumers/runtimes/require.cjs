// From CommonJS.
const { attention } = require('attention-lab');
const { query, key, value } = require('./answer.js');

console.log(attention(query, key, value).output.data.join(' '));
