export { type CancelSignal, CancelSource } from './cancel-source.js';
export { countValues, hasMoreValues } from './count-values.js';
export { IdMap } from './id-map.js';
export { createLineReader, type LineReader, type TruncatedLine } from './line-reader.js';
export { type Linked, LinkedList } from './linked-list.js';
