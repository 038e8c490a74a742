/** A path from a project to a package on which it depends. */
export interface DependencyPath {
  readonly project: string;
  readonly frameworks: readonly string[];
  /** The packages from the direct dependency to the requested package. */
  readonly packages: readonly { readonly name: string; readonly version: string }[];
}

interface Node {
  readonly depth: number;
  text: string;
}

const BRANCH = /^([\s│]*)[├└]── (.*)$/;
const CONTINUATION = /^[\s│]*(\S.*)$/;
const COLOUR = /\u001b\[[\d;]*m/g;

/**
 * Parses the text of `dotnet nuget why` (SDK 10.0.4xx), which has no JSON and wraps lines at 80 columns.
 * @returns paths, which are empty if nothing depends on the package; only a problem if no project could be analysed
 */
export function parseNuGetWhy(output: string): { problem: string } | { paths: DependencyPath[]; problems?: string[] } {
  const blocks = output.replace(COLOUR, '').split(/^(?=Project ')/m);
  const preamble = blocks[0]!.startsWith("Project '") ? '' : blocks.shift()!;
  const paths = blocks.flatMap(pathsOfProject);
  const text = preamble.trim().replace(/\s+/g, ' ');
  if (text === '') return { paths };
  return blocks.length === 0 ? { problem: text } : { paths, problems: [text] };
}

function pathsOfProject(block: string): DependencyPath[] {
  const project = /^Project '(.+?)'\s/.exec(block)?.[1] ?? '';
  const sections: { frameworks: string[]; nodes: Node[] }[] = [];
  for (const line of block.split(/\r?\n/)) {
    const framework = /^\s*\[(\S+)\]\s*$/.exec(line)?.[1];
    const section = sections.at(-1);
    if (framework !== undefined) {
      if (section?.nodes.length === 0) section.frameworks.push(framework);
      else sections.push({ frameworks: [framework], nodes: [] });
    } else if (section) addLine(section.nodes, line);
  }
  return sections.flatMap(({ frameworks, nodes }) =>
    leafPaths(nodes).map((packages) => ({ project, frameworks, packages })),
  );
}

/** Adds a line, which begins a node or continues the wrapped text of the last one. */
function addLine(nodes: Node[], line: string): void {
  const [, bars, text] = BRANCH.exec(line) ?? [];
  if (bars !== undefined && text !== undefined) nodes.push({ depth: bars.length, text: text.trim() });
  else if (nodes.length > 0) nodes.at(-1)!.text += CONTINUATION.exec(line)?.[1]?.trim() ?? '';
}

function leafPaths(nodes: readonly Node[]): DependencyPath['packages'][] {
  const open: (Node & { name: string; version: string })[] = [];
  const paths: DependencyPath['packages'][] = [];
  nodes.forEach((node, index) => {
    const [, name, version] = /^(\S+?)\s*\(v([^)]*)\)$/.exec(node.text) ?? [];
    if (name === undefined || version === undefined) return;
    while (open.length > 0 && open.at(-1)!.depth >= node.depth) open.pop();
    open.push({ ...node, name, version });
    const next = nodes[index + 1];
    if (!next || next.depth <= node.depth)
      paths.push(open.map((ancestor) => ({ name: ancestor.name, version: ancestor.version })));
  });
  return paths;
}
