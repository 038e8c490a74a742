import { realpathSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { realDotnet } from '../dotnet-program.js';
import { ROOT } from '../workplace.js';

/** Texts of this machine and this run, and what a recording has in their place. */
export interface Placeholders {
  /** Replaces the texts by their placeholders. */
  hide(text: string): string;
  /** Replaces the placeholders by the texts. */
  fill(text: string): string;
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** @param own name → text: those of the test, such as its folder and its ports */
export function createPlaceholders(own: Readonly<Record<string, string>>): Placeholders {
  const program = realDotnet();
  const texts = {
    ...own,
    repository: ROOT.replace(/\/$/, ''),
    packages: process.env.NUGET_PACKAGES ?? join(homedir(), '.nuget/packages'),
    dotnet: program === undefined ? '/usr/share/dotnet' : dirname(realpathSync(program)),
    machine: hostname(),
  };
  // Of texts that contain each other, the longest counts.
  const entries = Object.entries(texts).sort(([, a], [, b]) => b.length - a.length);
  const names = new Map(entries.map(([name, text]) => [text, name]));
  const pattern = new RegExp(
    `(?<![\\w.-])(?:${entries.map(([, text]) => escaped(text)).join('|')})(?![\\w.-]*\\w)`,
    'g',
  );
  const account = new RegExp(`(?<=runUser="|^|[/ ])${escaped(userInfo().username)}(?=_${escaped(hostname())}_)`, 'gm');
  return {
    hide: (text) =>
      text
        .replaceAll(account, '‹user›')
        .replaceAll(pattern, (found) => `‹${names.get(found)}›`)
        .replaceAll(new RegExp(`(?<=‹user›_)${escaped(hostname())}(?=_)`, 'g'), '‹machine›'),
    fill: (text) =>
      text.includes('‹')
        ? entries
            .reduce((result, [name, value]) => result.replaceAll(`‹${name}›`, value), text)
            .replaceAll('‹user›', userInfo().username)
        : text,
  };
}

/** The same times, dates and durations in each recording: the first date is the first second of 2026, the next the second. */
export function createClock(): (text: string) => string {
  const dates = new Map<string, number>();
  const ordinal = (date: string) => {
    if (!dates.has(date)) dates.set(date, dates.size + 1);
    return String(dates.get(date)).padStart(2, '0');
  };
  return (text) =>
    text
      .replaceAll(
        /\b20\d\d-\d\d-\d\d([T _])\d\d([:_-])\d\d[:_-]\d\d((?:\.\d+)?)(Z|[+-]\d\d:\d\d)?/g,
        (date, gap, colon, fraction, zone = '') =>
          `2026-01-01${gap}00${colon}00${colon}${ordinal(date)}${fraction.replaceAll(/\d/g, '0')}${zone && (zone === 'Z' ? 'Z' : '+00:00')}`,
      )
      .replaceAll(/(?<=_)20\d{12}(?=\D)/g, (date) => `202601010000${ordinal(date)}`)
      .replaceAll(/\b\d\d:\d\d:\d\d\.\d{2,7}\b/g, (time) => `00:00:01.${'0'.repeat(time.length - 9)}`)
      .replaceAll(/\b(?:\d+ ?m(?:in)? )?(?:\d+(?:\.\d+)? ?s(?:ec)? )?\d+(?:\.\d+)? ?(ms|sec|s)\b(?!['\w])/g, '1 $1');
}

const GUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?<=Sequence_)[0-9a-f]{32}\b/g;

/** Numbers the ids of a test report and its folders, which are random. */
export function createIds(): (text: string) => string {
  const ids = new Map<string, number>();
  return (text) =>
    text.replaceAll(GUID, (id) => {
      if (!ids.has(id)) ids.set(id, ids.size + 1);
      return `00000000-0000-0000-0000-${String(ids.get(id)).padStart(12, '0')}`;
    });
}
