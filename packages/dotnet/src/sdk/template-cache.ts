import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import { stateHashOf } from './cached-query.js';

/** A template of the catalogue, with all its languages. */
export interface Template {
  readonly name: string;
  readonly shortNames: readonly string[];
  readonly author: string;
  readonly languages: readonly string[];
  readonly type: string;
  readonly description: string;
  readonly parameters: readonly TemplateParameter[];
}

export interface TemplateParameter {
  readonly name: string;
  readonly description: string;
  readonly dataType: string;
  readonly defaultValue: string;
  readonly choices?: readonly string[];
}

export interface TemplateFiles {
  /** The path of the CLI's catalogue. */
  readonly cache: string;
  /** Returns texts that change when the catalogue or the list of packs changes. */
  stateHashes(): string[];
  /** True if the CLI has written its catalogue since a pack was last installed or removed. */
  isCurrent(): boolean;
}

/** Returns the files in `~/.templateengine` in which a version of the SDK keeps its catalogue (SDK 10). */
export function templateFiles(home: string, version: string): TemplateFiles {
  const cache = join(home, '.templateengine', 'dotnetcli', version, 'templatecache.json');
  const packs = packsFile(home);
  return {
    cache,
    stateHashes: () => [cache, packs].map(stateHashOf),
    isCurrent() {
      const modifiedAt = statSync(cache, { throwIfNoEntry: false })?.mtimeMs;
      return modifiedAt !== undefined && modifiedAt >= (statSync(packs, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    },
  };
}

interface InstalledPacks {
  Packages?: { Details?: { PackageId?: string; Version?: string } | null }[];
}

/** Reads the version of a template pack from the CLI's list of packs; undefined if it is not installed. */
export async function installedPackVersion(home: string, id: string): Promise<string | undefined> {
  try {
    const text = readRegularText(packsFile(home));
    const { Packages = [] } = JSON.parse(text.replace(/^\uFEFF/, '')) as InstalledPacks;
    const hasId = (packageId = '') => packageId.toLowerCase() === id.toLowerCase();
    return Packages.find(({ Details }) => hasId(Details?.PackageId))?.Details?.Version;
  } catch {
    return undefined;
  }
}

function packsFile(home: string): string {
  return join(home, '.templateengine', 'packages.json');
}

interface CachedTemplate {
  Name?: string;
  ShortNameList?: string[];
  Author?: string;
  Description?: string;
  TagsCollection?: { language?: string; type?: string };
  Parameters?: CachedParameter[];
  GroupIdentity?: string;
  Identity?: string;
}

interface CachedParameter {
  Name?: string;
  Description?: string | null;
  DataType?: string;
  DefaultValue?: string | null;
  Choices?: Record<string, unknown> | null;
  Type?: string;
}

/** The tags that the catalogue lists among the parameters. */
const TAGS = new Set(['name', 'language', 'type']);

/** Reads the CLI's catalogue; undefined if it cannot be read. */
export async function readTemplateCache(file: string): Promise<readonly Template[] | undefined> {
  try {
    const text = readRegularText(file);
    const { TemplateInfo } = JSON.parse(text.replace(/^\uFEFF/, '')) as { TemplateInfo: CachedTemplate[] };
    return groupTemplates(TemplateInfo);
  } catch {
    return undefined;
  }
}

/** Joins the entries of one template, which has one for each language. */
function groupTemplates(cached: readonly CachedTemplate[]): Template[] {
  const groups = new Map<string, CachedTemplate[]>();
  for (const item of cached) {
    const key = item.GroupIdentity || item.Identity || (item.Name ?? '');
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  const templates = [...groups.values()].map(toTemplate);
  return templates.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function toTemplate(group: CachedTemplate[]): Template {
  const first = group[0]!;
  const languages = [...new Set(group.flatMap(({ TagsCollection }) => TagsCollection?.language ?? []))];
  return {
    name: first.Name ?? '',
    shortNames: [...new Set(group.flatMap(({ ShortNameList }) => ShortNameList ?? []))],
    author: first.Author ?? '',
    languages,
    type: first.TagsCollection?.type ?? '',
    description: first.Description ?? '',
    parameters: (first.Parameters ?? []).filter(({ Name }) => Name !== undefined && !TAGS.has(Name)).map(toParameter),
  };
}

function toParameter({ Name, Description, DataType, DefaultValue, Choices }: CachedParameter): TemplateParameter {
  return {
    name: Name!,
    description: Description ?? '',
    dataType: DataType ?? 'string',
    defaultValue: DefaultValue ?? '',
    ...(Choices && Object.keys(Choices).length > 0 && { choices: Object.keys(Choices) }),
  };
}
