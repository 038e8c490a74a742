/**
 * The environment variable by which what a plugin started is found again after it has left the process group. It holds
 * one mark, or more where a plugin runs a server with plugins of its own.
 */
export const PROCESS_TAG_VARIABLE = 'MORTISE_PLUGIN_PROCESS';
