// The words of <attn-heads> in Chinese.

import { shared } from '../../kit/state/zh/words.js';
import { words as en } from '../en/words.js';

/** @type {typeof en} */
export const words = {
  ...shared,
  matrices: en.matrices,
  name: '注意力层的大小与头数',
  fields: {
    model: 'd_model',
    heads: '头数 h',
    kvHeads: '键值头数 g',
    headSize: 'd_k',
    bias: '偏置',
  },
  options: {
    ...en.options,
    heads: '与 h 相同',
    1: '1（全体共用）',
    fixed: '固定',
    no: '无',
    yes: '有',
  },
  titles: {
    single: '一个头：这一层要学 {total} 个数',
    same: '一个头也好，{heads} 个头也好，这一层要学的都是 {total} 个数',
    rest: '一个头 {one} 个参数，{heads} 个头 {total} 个：d_model = {model} 除不尽，差的是余数',
    grouped: '{heads} 个查询头共用 {groups} 个键值头：参数由 {one} 个减到 {total} 个',
    fixed: 'd_k 若固定不变，头多了参数才会多：h = {heads} 时 {total} 个，h = 1 时 {one} 个',
  },
  caption:
    '单个自注意力层，d_v = d_k。h 不能整除 d_model 时，d_k 向下取整；g 取 h 的约数中不超过所选值的最大者。' +
    '柱是软件包数出来的，圆圈是公式的值。虚线是常见的说法：每多一个头，就多一份参数。' +
    '丢失：一个值的方差中，无论用什么线性映射都无法从输出里恢复的份额；值独立服从 N(0, 1)，头的宽度不限；两个头各看一个词，各给自己的词这么大的权重；恰为 ½ 时，两个头读到的是同一个平均。',
  parameterPanel: '一层的参数个数（单位 d_model²）',
  cachePanel: 'KV 缓存：每个词元的数值个数',
  headsAxis: '头数 h',
  kvAxis: '键值头数 g',
  folk: '常见说法：每个头都加参数',
  cache: 'KV 缓存',
  count: '参数个数',
  total: '四者合计',
  numbers: '每个词元的个数',
  counted: '计数',
  formula: '公式',
  now: 'd_k = {dK}，g = {g}',
  relationsPanel: '为什么要多个头：一个头读两个词，会丢失多少',
  relationsNote: '一个头只读到两者的平均，两个头就能分开读',
  relationsAxis: '给第一个词的权重',
  both: '两个词合计',
  first: '第一个词',
  second: '第二个词',
  twoHeads: '两个头',
};
