import { Socket } from 'node:net';
import { runPluginProcess } from './run-plugin-process.js';

/** The pipe to the server, opened by it beside stdin, stdout and stderr. */
const CHANNEL_FD = 3;

runPluginProcess(new Socket({ fd: CHANNEL_FD, readable: true, writable: true }));
