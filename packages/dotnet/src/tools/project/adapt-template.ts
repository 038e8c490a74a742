import { unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Arguments } from '../../actions/parameters.js';
import { declaredProperty, removeProperty } from '../../project-files/edit-project.js';
import { FileError } from '../../project-files/file-error.js';
import { findUpward, isProjectPath } from '../../project-files/find-project.js';
import { readTextFile, writeTextFile } from '../../project-files/text-file.js';

/** The properties that repositories often set for all projects, and that templates write into each project. */
const SHARED_PROPERTIES = ['TargetFramework', 'ImplicitUsings', 'Nullable', 'LangVersion'];

const EMPTY_CLASS = /^\s*(?:namespace\s+[\w.]+\s*[;{]\s*)?public class Class1\s*\{\s*\}\s*\}?\s*$/i;
const EMPTY_VB_CLASS = /^\s*(?:Namespace\s+[\w.]+\s+)?Public Class Class1\s+End Class\s*(?:End Namespace\s*)?$/i;

export interface AdaptedTemplate {
  /** The properties that were removed, because Directory.Build.props sets them. */
  readonly inherited: readonly string[];
  /** The absolute paths of the deleted files. */
  readonly removed: readonly string[];
}

/**
 * Adapts the files of a template to the repository: removes properties that a Directory.Build.props sets from the new
 * projects, and deletes the empty class of a library (docs/spec/dotnet-tools.md#new-projects).
 */
export async function adaptTemplate(created: readonly string[], args: Arguments): Promise<AdaptedTemplate> {
  const inherited = new Set<string>();
  for (const project of created.filter(isProjectPath)) {
    for (const name of await inheritProperties(project, args)) inherited.add(name);
  }
  const removed: string[] = [];
  for (const file of created.filter((path) => /^Class1\.(?:cs|vb)$/.test(basename(path)))) {
    const { text } = await readTextFile(file);
    if (!(EMPTY_CLASS.test(text) || EMPTY_VB_CLASS.test(text))) continue;
    await unlink(file);
    removed.push(file);
  }
  return { inherited: [...inherited], removed };
}

/** Removes inherited properties from a project, but never a framework that the call names. @returns their names */
async function inheritProperties(project: string, { framework }: Arguments): Promise<string[]> {
  const props = findUpward(dirname(project), 'Directory.Build.props');
  if (props === undefined) return [];
  const shared = (await readTextFile(props)).text;
  const file = await readTextFile(project);
  let text = file.text;
  const names = SHARED_PROPERTIES.filter((name) => {
    const isRequested = name === 'TargetFramework' && framework !== undefined;
    if (isRequested || declared(shared, name) === undefined || declared(text, name) === undefined) return false;
    text = removeProperty(text, name).text;
    return true;
  });
  if (names.length > 0) await writeTextFile(file, text);
  return names;
}

function declared(text: string, name: string): string | undefined {
  try {
    return declaredProperty(text, name);
  } catch (error) {
    // MSBuild itself reports the problem of the file.
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
