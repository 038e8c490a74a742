import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const BIN = fileURLToPath(new URL('../bin/create-mortise-plugin.mjs', import.meta.url));

/** Runs the program in an empty folder, with its own home folder. */
function create(...args: string[]) {
  const root = mkdtempSync(join(tmpdir(), 'create-mortise-plugin-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, 'work');
  mkdirSync(cwd);
  const env = { ...process.env, HOME: root, XDG_CONFIG_HOME: root, APPDATA: root };
  return { cwd, ...spawnSync(process.execPath, [BIN, ...args], { cwd, env, encoding: 'utf8' }) };
}

it('makes a plugin as `mortise new` does', () => {
  const { cwd, status, stdout, stderr } = create('word-count', '--style', 'register');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('word_count');
  expect(readFileSync(join(cwd, 'plugins/word-count/index.js'), 'utf8')).toContain("name: 'word_count'");
  expect(existsSync(join(cwd, 'appsettings.json'))).toBe(true);
});

it.each([
  ['no name', []],
  ['an invalid name', ['../word-count']],
  ['an unknown style', ['word-count', '--style', 'cobol']],
])('refuses %s with exit code 2, and writes nothing', (_, args) => {
  const { cwd, status, stdout, stderr } = create(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^mortise: /);
  expect(existsSync(join(cwd, 'plugins'))).toBe(false);
});
