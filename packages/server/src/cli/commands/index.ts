// All but `serve`, in one module of the bundle.
export { auditCommand } from './audit.js';
export { callCommand } from './call.js';
export { devCommand } from './dev.js';
export { doctorCommand } from './doctor.js';
export { initCommand } from './init.js';
export { listCommand } from './list.js';
export { newCommand } from './new.js';
export { packCommand } from './pack.js';
export { promptCommand } from './prompt.js';
export { readCommand } from './read.js';
export { trustCommand } from './trust.js';
export { validateCommand } from './validate.js';
