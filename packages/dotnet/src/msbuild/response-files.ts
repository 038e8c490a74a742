import { dirname, join, resolve } from 'node:path';
import { ownMember, readRegularText } from '@mortise/plugin/runtime';
import { findUpward } from '../project-files/find-project.js';
import type { GlobalProperties } from './evaluation.js';

/**
 * Returns the properties in the response files that MSBuild reads by itself for a project: the nearest
 * Directory.Build.rsp and the MSBuild.rsp in the project's folder. Mortise reads projects without these files
 * (`-noAutoResponse`), because they can also name targets and loggers; for an evaluation only their properties count.
 */
export function responseProperties(project: string, env: NodeJS.ProcessEnv = process.env): GlobalProperties {
  const folder = dirname(project);
  const files = [findUpward(folder, 'Directory.Build.rsp'), join(folder, 'MSBuild.rsp')];
  const switches = files.flatMap((file) => (file === undefined ? [] : switchesOf(file, folder, env, new Set())));
  const byName = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of switches.flatMap(propertiesIn)) byName.set(name.toLowerCase(), [name, value]);
  return Object.fromEntries(byName.values());
}

/**
 * Returns the switches in a file and in the files that it names (`@other.rsp`), split at white space outside quotes.
 */
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

/**
 * Replaces `%NAME%` by environment variables, if they are set, and `%MSBuildThisFileDirectory%` by the file's folder.
 */
function expand(line: string, file: string, env: NodeJS.ProcessEnv): string {
  return line.replace(/%([^%\s]+)%/g, (text, name: string) =>
    name === 'MSBuildThisFileDirectory' ? `${dirname(file)}/` : (ownMember(env, name) ?? text),
  );
}

const PROPERTY = /^"?(?:--?|\/)p(?:roperty)?:(.*)$/is;

/** Returns the properties of a switch such as `-p:A=1;B=2`; none for other switches. */
function propertiesIn(word: string): [name: string, value: string][] {
  const [, list] = PROPERTY.exec(word) ?? [];
  if (list === undefined) return [];
  return splitUnquoted(list, /[;,]/).flatMap((assignment) => {
    const [, name, value] = /^\s*([^=]+?)\s*=(.*)$/s.exec(unquote(assignment)) ?? [];
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
