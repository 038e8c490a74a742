export { groupMembers, HAS_PROCESS_GROUPS, isGroupAlive, kill, killTree, signalGroup } from './groups.js';
export { keepInspectorClosed } from './keep-inspector-closed.js';
export { measureMemory } from './memory.js';
export { childrenOf, HAS_PROC, programOf, readProc } from './proc.js';
export { lowerPriority, processorMs } from './processor.js';
export { createReaper, type Reaper } from './reaper.js';
export { HAS_START_TIMES, isSameStartTime, processStartTime } from './start-time.js';
export { CAN_READ_ENVIRONMENTS, createProcessTag, killTagged } from './tags.js';
export { descendantsOf, isSameOrDescendant } from './tree.js';
