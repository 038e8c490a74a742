// A module for `node --import`: one response over HTTP, after a few hundred, does not end.
import { ServerResponse } from 'node:http';

const DROPPED = 300;
let responses = 0;
const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function drop(...rest) {
  return ++responses === DROPPED ? this : end.apply(this, rest);
};
