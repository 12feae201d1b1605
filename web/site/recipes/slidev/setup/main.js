import 'attention-lab/define';

export default () => {};
