import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type LoadOptions, loadSettings } from '../../src/settings/load.js';
import type { LoadedSettings } from '../../src/settings/settings.js';
import { SettingsError, type SettingsProblem } from '../../src/settings/settings-error.js';
import { createTrustStore } from '../../src/settings/trusted-config.js';

export type Extra = Partial<LoadOptions>;

/** A home and a working directory of a test's own, removed after it. */
export class Sandbox {
  readonly root = realpathSync.native(mkdtempSync(join(tmpdir(), 'mortise-settings-')));
  readonly cwd = join(this.root, 'work');
  readonly userConfigDir = join(this.root, 'home', '.config', 'mortise');
  readonly userFile = join(this.userConfigDir, 'appsettings.json');
  readonly cwdFile = join(this.cwd, 'appsettings.json');

  constructor() {
    mkdirSync(this.cwd);
    mkdirSync(this.userConfigDir, { recursive: true });
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
  }

  /** Relative to the working directory; gives the absolute path. */
  write(path: string, content: string | Uint8Array | object): string {
    const file = join(this.cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    const isText = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(file, isText ? content : JSON.stringify(content, null, 2));
    return file;
  }

  trust(folder = this.cwd): void {
    createTrustStore(this.userConfigDir).trust(folder);
  }

  /** Overwrites what is remembered of every trusted folder. */
  damageTrust(content = '{"folder": '): void {
    const store = join(this.userConfigDir, 'trusted');
    for (const name of readdirSync(store)) writeFileSync(join(store, name), content);
  }

  load(extra: Extra = {}): Promise<LoadedSettings> {
    return loadSettings({ env: {}, cwd: this.cwd, userConfigDir: this.userConfigDir, ...extra });
  }

  /** With this as the file that `--config` names. */
  loadFile(content: string | object, extra: Extra = {}): Promise<LoadedSettings> {
    return this.load({ configPath: this.write('config/appsettings.json', content), ...extra });
  }

  /** The problems that loading ends with; fails when it succeeds. */
  async problems(load: () => Promise<unknown>): Promise<readonly SettingsProblem[]> {
    try {
      await load();
    } catch (error) {
      if (error instanceof SettingsError) return error.problems;
      throw error;
    }
    throw new Error('Loading was expected to fail.');
  }

  /** The problems of this file, each as `line:column message hint`. */
  async fileProblems(content: string | object, extra?: Extra): Promise<string[]> {
    const problems = await this.problems(() => this.loadFile(content, extra));
    return problems.map(({ line, column, message, hint }) => `${line}:${column} ${message} ${hint}`);
  }
}
