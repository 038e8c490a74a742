import { checkEcho } from '../client/protocol.mjs';
import { median } from '../stats.mjs';

/** The median of so many calls one after the other, in microseconds. */
export async function echoesUs(client, call, calls) {
  const times = [];
  for (let done = 0; done < calls; done++) {
    const response = await client.request('tools/call', call);
    times.push(response.ms * 1000);
    checkEcho(response);
  }
  return median(times);
}
