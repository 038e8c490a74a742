import { describe, expect, it } from 'vitest';
import { shared, startHttp, TRANSPORTS, type TransportName } from '../support/clients.js';
import { BIN, type Finished, type Workplace } from '../support/workplace.js';
import { AI_SDK } from './ai-sdk.js';
import type { ClientUnderTest, Target } from './client.js';
import { CSHARP } from './csharp-client.js';
import { createClientWorkplace, EXPECTED, FEATURES } from './features.js';
import { OFFICIAL_V1, OFFICIAL_V2 } from './official.js';

const CLIENTS: ClientUnderTest[] = [...OFFICIAL_V2, OFFICIAL_V1, AI_SDK, ...CSHARP];
const ROWS = CLIENTS.flatMap((client) =>
  TRANSPORTS.map((transport) => ({ client, transport, title: `${client.name}, ${client.version}, ${transport}` })),
);

/** `mortise serve` over this transport: the client starts it for stdio. */
async function targetOf(workplace: Workplace, transport: TransportName, finished: Finished): Promise<Target> {
  if (transport === 'http') return { transport, url: (await startHttp(workplace, [], finished)).url };
  return { transport, command: process.execPath, args: [BIN, 'serve', '--config', workplace.config], workplace };
}

/** Clients of others against a real server. What a client cannot do is skipped, with its reason in the title. */
describe.each(ROWS)('$title', ({ client, transport }) => {
  if (client.missing !== undefined) {
    it.skip(`cannot be run here: ${client.missing}`, () => {});
    return;
  }
  const opened = shared(async (finished) => {
    const workplace = createClientWorkplace(finished);
    return client.connect(await targetOf(workplace, transport, finished), finished);
  });

  it('agrees with the server on its version', () => {
    expect(opened().version).toBe(client.version);
  });

  for (const feature of FEATURES) {
    const reason = client.cannot[feature] ?? client.cannot[`${feature}/${transport}`];
    if (reason !== undefined) {
      it.skip(`${feature}: ${reason}`, () => {});
      continue;
    }
    it(feature, async () => {
      expect(await opened().use(feature)).toEqual(EXPECTED[feature]);
    });
  }
});
