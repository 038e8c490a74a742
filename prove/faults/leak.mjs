// A module for `node --import`: keeps 1 KB for each line that the process reads, and for each HTTP request.
import { Server } from 'node:http';

const kept = [];
const keep = () => kept.push(new Array(128).fill(kept.length));

const { emit } = process.stdin;
process.stdin.emit = function leak(event, chunk, ...rest) {
  if (event === 'data') {
    const lines = chunk.toString().split('\n').length - 1;
    for (let line = 0; line < lines; line++) keep();
  }
  return emit.call(this, event, chunk, ...rest);
};

const emitOfServer = Server.prototype.emit;
Server.prototype.emit = function leak(event, ...rest) {
  if (event === 'request') keep();
  return emitOfServer.call(this, event, ...rest);
};
