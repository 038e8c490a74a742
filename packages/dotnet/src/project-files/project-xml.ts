import { parseXml } from '../xml/parse-xml.js';
import { type XmlElement, XmlError } from '../xml/xml.js';
import { FileError } from './file-error.js';

/**
 * Parses the text of an MSBuild file. @returns the `Project` element
 * @throws FileError `invalid format` if the text is not XML or its root is another element
 */
export function parseProject(text: string): XmlElement {
  const root = parseProjectXml(text);
  if (root.name === 'Project') return root;
  throw new FileError(
    'invalid format',
    `The root element is <${root.name}>, not <Project>`,
    'Name an MSBuild project file.',
  );
}

function parseProjectXml(text: string): XmlElement {
  try {
    return parseXml(text);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new FileError(
      'invalid format',
      `The file is not well-formed XML: ${error.message}`,
      'Repair the file.',
      error,
    );
  }
}

export function attributeOf(element: XmlElement, name: string): string | undefined {
  return element.attributes.find((attribute) => attribute.name === name)?.value;
}

export function isConditional(element: XmlElement): boolean {
  return Boolean(attributeOf(element, 'Condition')?.trim());
}

/** Returns the groups that an evaluation can use: the children of `parent` and those in its `Choose` elements. */
export function groupsOf(parent: XmlElement, name: 'PropertyGroup' | 'ItemGroup'): XmlElement[] {
  return parent.elements.flatMap((child) => {
    if (child.name === name) return [child];
    return CHOICES.has(child.name) ? groupsOf(child, name) : [];
  });
}

const CHOICES = new Set(['Choose', 'When', 'Otherwise']);
