import type { ProvokingBuild } from './build.js';
import { COMMANDS } from './commands.js';
import { CSHARP_PROJECTS, CSHARP_SNIPPETS } from './csharp.js';
import { OTHER_LANGUAGES } from './languages.js';
import { MSBUILD_TASKS } from './msbuild.js';
import { PACKS, RESTORES } from './nuget.js';
import { SMALLEST_PROJECTS } from './projects.js';
import { SDK_FEATURES, SDK_PACKAGES } from './sdk-features.js';

/** Everything that provokes codes of the dictionary. */
export const BUILDS: readonly ProvokingBuild[] = [
  ...CSHARP_SNIPPETS,
  CSHARP_PROJECTS,
  OTHER_LANGUAGES,
  SMALLEST_PROJECTS,
  MSBUILD_TASKS,
  SDK_FEATURES,
  SDK_PACKAGES,
  RESTORES,
  PACKS,
  COMMANDS,
];
