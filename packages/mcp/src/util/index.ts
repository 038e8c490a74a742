export { type CancelSignal, CancelSource } from './cancel-source.js';
export { IdMap } from './id-map.js';
export {
  isLargeJson,
  jsonSourceOf,
  keepJsonSource,
  largeJsonParts,
  parseInSlices,
  stringifyLarge,
} from './large-json.js';
export { createLineReader, type LineReader, type TruncatedLine } from './line-reader.js';
export { type Linked, LinkedList } from './linked-list.js';
export { MessageOrder } from './message-order.js';
export { nextSlice, runAtOnce, runInSlices } from './slices.js';
export { type Timed, TimeoutList } from './timeout-list.js';
