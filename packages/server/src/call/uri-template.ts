/**
 * Matches a URI against a template (RFC 6570, levels 1 to 3, one value a variable) and gives the variables, decoded;
 * undefined where it does not match. The query's order does not matter, and its variables may be absent.
 */
export function matchTemplate(template: string, uri: string): Record<string, string> | undefined {
  const { path, queryNames } = compiledTemplate(template);
  const queryStart = queryNames.length > 0 ? uri.indexOf('?') : -1;
  const match = path.exec(queryStart < 0 ? uri : uri.slice(0, queryStart));
  if (!match) return undefined;
  const variables: Record<string, string> = {};
  for (const [index, name] of path.names.entries()) {
    const value = match[index + 1];
    if (value !== undefined) variables[name] = decoded(value);
  }
  const query = new URLSearchParams(queryStart < 0 ? '' : uri.slice(queryStart + 1));
  for (const name of queryNames) {
    const value = query.get(name);
    if (value !== null) variables[name] = value;
  }
  return variables;
}

interface CompiledTemplate {
  path: { names: string[]; exec(text: string): RegExpExecArray | null };
  queryNames: string[];
}

const compiledTemplates = new Map<string, CompiledTemplate>();

function compiledTemplate(template: string): CompiledTemplate {
  let compiled = compiledTemplates.get(template);
  if (!compiled) {
    compiled = compile(template);
    if (compiledTemplates.size > 1000) compiledTemplates.clear();
    compiledTemplates.set(template, compiled);
  }
  return compiled;
}

/** Operator → what stands before each value, and what a value is made of. */
const OPERATORS: Record<string, { prefix: string; value: string }> = {
  '': { prefix: '', value: '[^/?#]+' },
  '+': { prefix: '', value: '[^?#]+' },
  '#': { prefix: '#', value: '.+' },
  '.': { prefix: '\\.', value: '[^/?#.]+' },
  '/': { prefix: '/', value: '[^/?#]+' },
};

function compile(template: string): CompiledTemplate {
  const names: string[] = [];
  const queryNames: string[] = [];
  let source = '';
  for (const part of template.split(/(\{[^{}]*\})/)) {
    const expression = /^\{([+#./;?&]?)([^{}]*)\}$/.exec(part);
    if (!expression) {
      source += part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      continue;
    }
    const [, operator = '', list = ''] = expression;
    const variables = list.split(',').map((variable) => variable.replace(/(\*|:\d+)$/, '').trim());
    if (operator === '?' || operator === '&') {
      queryNames.push(...variables);
      continue;
    }
    const { prefix, value } = OPERATORS[operator] ?? OPERATORS['']!;
    source += variables.map((_, index) => `${prefix || (index > 0 ? ',' : '')}(${value})`).join('');
    names.push(...variables);
  }
  const regex = new RegExp(`^${source}$`);
  return { path: { names, exec: (text) => regex.exec(text) }, queryNames };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
