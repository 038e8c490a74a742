import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../bench/client/index.mjs';
import { SESSIONS } from '../../bench/client/protocol.mjs';
import { fill, makePlace, missingDisk, mountDisk } from '../machine/conditions.mjs';
import { auditedTexts, callOften, commandFor, newState } from '../machine/served-calls.mjs';

const CALLS = 20;
const DISK_MB = 4;

/**
 * Kills servers while their disk is full. With `Audit.OnFailure` `warn` the lines of the audit wait in memory then, so that a kill
 * loses them; how many is told in the note. The servers have to start again when there is space.
 */
export async function killOnFullDisk({ workplace, kills }) {
  const root = mkdtempSync(join(workplace, 'full-disk-'));
  const reason = missingDisk({ folder: root });
  if (reason !== undefined) return { failures: [], note: `not run: kills with a full disk: ${reason}` };
  const place = makePlace(root);
  const dispose = mountDisk(place.folder, DISK_MB);
  try {
    const command = commandFor(place, { onFailure: 'warn' });
    const state = newState();
    for (let kill = 0; kill < kills; kill++) {
      const client = await connect(command, { version: SESSIONS });
      await callOften(client, { state, calls: CALLS });
      const filling = fill(place.folder);
      await callOften(client, { state, calls: CALLS });
      process.kill(client.pid, 'SIGKILL');
      await client.stop();
      rmSync(filling);
    }
    const audited = auditedTexts(place.audit);
    const answered = [...state.acknowledged];
    const lost = answered.filter((text) => !audited.has(text));
    return { failures: state.failures, note: noteOf({ kills, lost: lost.length, answered: answered.length }) };
  } finally {
    dispose();
  }
}

const noteOf = ({ kills, lost, answered }) =>
  `apart: ${kills} kills with a full disk and Audit.OnFailure warn: ` +
  `${lost} of ${answered} answered calls are not in the audit`;
