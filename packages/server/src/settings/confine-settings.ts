import { bool, described, list, map, path, record, setting } from './setting-schema.js';

/** The actions that a confined plugin is allowed (docs/spec/plugins.md#confinement). */
const NEEDS = record({
  read: described(list(path), 'Files and folders that the plugin may read, besides its own.'),
  write: described(list(path), 'Files and folders that the plugin may write, besides its data folder.'),
  network: described(bool, 'true: the plugin may use the network.'),
  run: described(bool, 'true: the plugin may start programs and worker threads, and load native modules.'),
});

/** `Plugins.Confine`. */
export const CONFINE = record({
  Default: described(NEEDS, 'Confines every plugin to this and to what its package.json declares under mortise.needs.'),
  Plugins: setting(map('names', NEEDS), {}, 'Confines single plugins, by name, to exactly this.'),
  Required: setting(
    bool,
    false,
    'true: a plugin that cannot be confined on this Node.js or platform is not loaded. false: that is a warning.',
  ),
});
