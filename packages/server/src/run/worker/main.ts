import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { keepInspectorClosed } from '@mortise/process';
import { nameCallerOfExit } from './name-caller-of-exit.js';
import { PluginWorker } from './plugin-worker.js';

/** The pipe to the server, which the server opens in addition to stdin, stdout and stderr. */
const CHANNEL_FD = 3;

/** One buffer for all reads. A new buffer for each read would cost more than the read itself. */
const buffer = Buffer.allocUnsafeSlow(64 * 1024);

const options: SocketConstructorOpts & { onread: OnReadOpts } = {
  fd: CHANNEL_FD,
  readable: true,
  writable: true,
  onread: {
    buffer,
    callback(bytes) {
      channel.emit('data', buffer.subarray(0, bytes));
      return true;
    },
  },
};
keepInspectorClosed();
nameCallerOfExit();
const channel = new Socket(options);
new PluginWorker(channel);
