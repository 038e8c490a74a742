import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { createRandomEdits, differences, disagreements } from '../../prove/edits/random-edits.mjs';
import { FILES } from '../../prove/edits/shop.mjs';
import { createRandom } from '../../prove/random.mjs';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { connectSdk, type SdkConnection } from './connect-sdk.js';

const SEED = 60;
const RUNS = 30;
const BUILD_EVERY = 10;
const KILLS = 10;
const KILL_WITHIN_MS = 60;
/** Each kill takes a start of the server and a load of the solution. */
const KILLS_TIMEOUT_MS = 1_200_000;

describeWithSdk('random renames and fixes', () => {
  let random: ReturnType<typeof createRandom>;
  let edits: ReturnType<typeof createRandomEdits>;
  let workplace: Workplace;
  let server: SdkConnection;
  const start = () => connectSdk(workplace, { settings: { Dotnet: { Enabled: true } } });
  const code = (action: string, args: object = {}) => server.call('dotnet_code', { action, ...args });

  beforeAll(async () => {
    workplace = makeWorkplace(FILES, { Dotnet: { Enabled: true } });
    server = await start();
    const restored = await server.call('dotnet_project', { action: 'Restore', project: 'Shop.slnx' });
    expect(restored.isError, restored.text).toBe(false);
  });
  beforeEach(() => {
    random = createRandom(SEED);
    edits = createRandomEdits({ folder: workplace.folder, code, random });
    edits.restore();
  });
  afterAll(async () => {
    await server.close();
    removeWorkplace(workplace);
  });

  it('write what the preview shows, and leave the errors that the answer says', async () => {
    let count = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const { preview, isError, action, args } = await edits.randomChange();
      if (!isError) {
        const before = edits.contents();
        const applied = await code(action, { ...args, hash: preview.hash, force: true });
        expect(applied.isError, applied.text).toBe(false);
        expect(differences(edits.contents(), edits.after(before, preview.changes)), JSON.stringify(args)).toEqual([]);
        if (action === 'Rename') expect(applied.data.errorCount).toBe(preview.errorCount);
        const { data } = await code('Diagnostics', { severity: 'error' });
        expect(data.errorCount, JSON.stringify([args, data.diagnostics, applied.data])).toBe(applied.data.errorCount);
        count += 1;
        if (count % BUILD_EVERY === 1) {
          const built = await server.call('dotnet_project', { action: 'Build', project: 'Shop.slnx', noRestore: true });
          expect(disagreements(built, data), built.text).toEqual([]);
        }
      }
      edits.restore();
    }
    expect(count).toBeGreaterThan(RUNS / 2);
  });

  it(
    'leave all files as they were or all as they should be if the server is killed',
    async () => {
      let kills = 0;
      while (kills < KILLS) {
        const { preview, isError, action, args } = await edits.randomChange();
        if (!isError) {
          const before = edits.contents();
          const wanted = edits.after(before, preview.changes);
          const call = code(action, { ...args, force: true }).catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, random.integer(KILL_WITHIN_MS)));
          process.kill(server.pid, 'SIGKILL');
          await call;
          await server.close();
          server = await start();
          // The plugin undoes what was interrupted before its tools can be called.
          await server.call('dotnet_server_info');
          const found = edits.contents();
          if (differences(found, before).length > 0) expect(differences(found, wanted)).toEqual([]);
          kills += 1;
        }
        edits.restore();
      }
      expect((await code('Diagnostics', { severity: 'error' })).data.errorCount).toBe(0);
    },
    KILLS_TIMEOUT_MS,
  );
});
