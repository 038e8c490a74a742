import { median } from './stats.mjs';

/**
 * One round that is not kept and then `rounds` others: in each, every client has its turn, in the reverse order in every
 * other round. Gives the samples of each client, one for each round.
 */
export async function takeTurns(clients, rounds, take) {
  const names = Object.keys(clients);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const sample = await take(clients[name], name);
      if (round >= 0) samples[name].push(sample);
    }
  }
  return samples;
}

/** The median of the ratios of two clients' samples, round by round. */
export function medianRatio(samples, reference, value) {
  return median(samples.map((sample, round) => value(sample) / value(reference[round])));
}
