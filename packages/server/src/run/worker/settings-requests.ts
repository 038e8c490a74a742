import type { SettingsAnswer, SettingsRequest } from '@mortise/plugin/runtime';
import type { FromWorker, ToWorker } from './protocol.js';

/** Asks the server for the settings of the plugin. */
export interface SettingsRequests {
  request(request: SettingsRequest): Promise<SettingsAnswer>;
  received(message: Extract<ToWorker, { given: number }>): void;
}

export function createSettingsRequests(send: (message: FromWorker) => void): SettingsRequests {
  const waiting = new Map<number, (answer: SettingsAnswer) => void>();
  let last = 0;
  return {
    request: (request) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        send({ settings: last, request });
      }),
    received({ given, answer }) {
      waiting.get(given)?.(answer);
      waiting.delete(given);
    },
  };
}
