import { dirname, join, resolve } from 'node:path';
import { ownMember, readRegularText } from '@mortise/plugin/runtime';
import { findUpward } from '../project-files/find-project.js';
import type { GlobalProperties } from './evaluation.js';

/**
 * The properties of the response files that MSBuild reads by itself for a project: the nearest Directory.Build.rsp, then
 * MSBuild.rsp in its folder. We read projects without these files (`-noAutoResponse`), for they can also name targets
 * and loggers; only their properties count for an evaluation.
 */
export function responseProperties(project: string, env: NodeJS.ProcessEnv = process.env): GlobalProperties {
  const folder = dirname(project);
  const files = [findUpward(folder, 'Directory.Build.rsp'), join(folder, 'MSBuild.rsp')];
  const switches = files.flatMap((file) => (file === undefined ? [] : switchesOf(file, folder, env, new Set())));
  const byName = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of switches.flatMap(propertiesIn)) byName.set(name.toLowerCase(), [name, value]);
  return Object.fromEntries(byName.values());
}

/** The words of a file and of those that it names (`@other.rsp`), as MSBuild splits them: white space outside quotes. */
function switchesOf(file: string, folder: string, env: NodeJS.ProcessEnv, seen: Set<string>): string[] {
  const text = seen.has(file) ? undefined : textOf(file);
  seen.add(file);
  if (text === undefined) return [];
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const words = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => splitUnquoted(expand(line, file, env), /\s/));
  return words.flatMap((word) =>
    word.startsWith('@') ? switchesOf(resolve(folder, unquote(word.slice(1))), folder, env, seen) : [word],
  );
}

function textOf(file: string): string | undefined {
  try {
    return readRegularText(file).replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

/** Replaces `%NAME%` from the environment, and the folder of the file; variables that are not set are left unchanged. */
function expand(line: string, file: string, env: NodeJS.ProcessEnv): string {
  return line.replace(/%([^%\s]+)%/g, (text, name: string) =>
    name === 'MSBuildThisFileDirectory' ? `${dirname(file)}/` : (ownMember(env, name) ?? text),
  );
}

const PROPERTY = /^"?(?:--?|\/)p(?:roperty)?:(.*)$/is;

/** The properties of a switch `-p:A=1;B=2`; none of another switch. */
function propertiesIn(word: string): [name: string, value: string][] {
  const [, list] = PROPERTY.exec(word) ?? [];
  if (list === undefined) return [];
  return splitUnquoted(list, /[;,]/).flatMap((one) => {
    const [, name, value] = /^\s*([^=]+?)\s*=(.*)$/s.exec(unquote(one)) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}

function splitUnquoted(text: string, separator: RegExp): string[] {
  const parts = [''];
  let isQuoted = false;
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted;
    if (!isQuoted && separator.test(char)) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.filter((part) => part !== '');
}

function unquote(text: string): string {
  return text.replaceAll('"', '');
}
