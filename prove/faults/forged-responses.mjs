// Preloaded into the server, this changes the version of JSON-RPC in every response.
import { ServerResponse } from 'node:http';

const forge = (data) => (typeof data === 'string' ? data.replaceAll('"jsonrpc":"2.0"', '"jsonrpc":"2.1"') : data);

if (/mortise\.mjs$/.test(process.argv[1] ?? '')) {
  for (const method of ['write', 'end']) {
    const original = ServerResponse.prototype[method];
    ServerResponse.prototype[method] = function (data, ...rest) {
      return original.call(this, forge(data), ...rest);
    };
  }
}
