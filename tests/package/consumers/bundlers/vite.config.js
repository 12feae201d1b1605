export default { build: { rolldownOptions: { input: ['index.html', 'module.html'] } } };
