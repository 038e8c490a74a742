export { type CancelSignal, CancelSource } from './cancel-source.js';
export { IdMap } from './id-map.js';
export { isLargeJson, jsonSourceOf, keepJsonSource, parseLargeJson, stringifyLarge } from './large-json.js';
export { createLineReader, type LineReader, type TruncatedLine } from './line-reader.js';
export { type Linked, LinkedList } from './linked-list.js';
export { nextSlice, runInSlices } from './slices.js';
export { type Timed, TimeoutList } from './timeout-list.js';
