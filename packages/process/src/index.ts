export { CAN_LEAD_GROUP, groupMembers, isGroupAlive, kill, killTree, signalGroup } from './groups.js';
export { keepInspectorClosed } from './keep-inspector-closed.js';
export { measureMemory } from './memory.js';
export { childrenOf, HAS_PROC, programOf, readProc } from './proc.js';
export { lowerPriority, processorMs } from './processor.js';
export { createReaper, type Reaper } from './reaper.js';
export { HAS_START_TIMES, isSameStartTime, processStartTime } from './start-time.js';
export { createProcessTag, HAS_ENVIRONMENTS, killTagged } from './tags.js';
export { descendantsOf, isWithin } from './tree.js';
