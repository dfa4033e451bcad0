import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { type Area, IMPORT_TABLE, TENANT_GATES, TENANT_MAKER } from './import-table.ts';

/** Source text by path from the project's root, `/` between segments. */
export type Sources = Map<string, string>;

type Import = { specifier: string; line: number };

const SUBPATHS: [prefix: string, folder: string][] = [
  ['#app/', 'app/'],
  ['#server/', 'server/'],
];
const GENERATED_CLIENT = 'server/db/generated/client.ts';

/**
 * Holds every import of every file against the import table.
 *
 * @returns one line for each fault, `file:line: why`; none when all is in order. Throws when a
 *   file cannot be parsed, since an unread file would pass unseen.
 */
export function importFaults(sources: Sources): string[] {
  const faults: string[] = [];
  const edges = new Map<string, string[]>();
  for (const [file, text] of sources) {
    const area = areaOf(file);
    if (!area) {
      faults.push(`${file}:1: no entry of the import table covers this file`);
      continue;
    }
    const targets: string[] = [];
    for (const found of importsOf(file, text)) {
      const target = resolveInProject(file, found.specifier);
      const fault = target
        ? judgeFile(area, file, target, sources)
        : judgePackage(area, found.specifier);
      if (fault) faults.push(`${file}:${found.line}: ${fault}`);
      if (target) targets.push(target);
    }
    edges.set(file, targets);
  }
  return [...faults, ...cycles(edges)];
}

function judgeFile(area: Area, file: string, target: string, sources: Sources): string | undefined {
  const generated = target.startsWith('server/db/generated/');
  if (!generated && isScript(target) && !sources.has(target)) return `${target} does not exist`;
  if (!matchesAny(target, area.mayImport)) return `${area.name} may not import ${target}`;
  const isTest = area.name === 'tests';
  if (!isTest && /\.test\.tsx?$/.test(target)) return `${target} is a test`;
  if (target === TENANT_MAKER && !isTest && !matchesAny(file, TENANT_GATES)) {
    return `only a gate that has authenticated somebody may import ${TENANT_MAKER}`;
  }
  return undefined;
}

function judgePackage(area: Area, specifier: string): string | undefined {
  const refused = area.packagesRefused?.find(
    (name) => specifier === name || specifier.startsWith(`${name}/`),
  );
  return refused ? `${area.name} may not import ${refused}` : undefined;
}

/** The imports of a file, types included, static, dynamic and re-exporting. */
function importsOf(file: string, text: string): Import[] {
  const parsed = parseSync(file, text);
  const error = parsed.errors[0];
  if (error) throw new Error(`${file} cannot be parsed: ${error.message}`);
  const found: Import[] = [];
  const add = (start: number, specifier: string): void => {
    found.push({ specifier, line: text.slice(0, start).split('\n').length });
  };
  for (const item of parsed.module.staticImports) add(item.start, item.moduleRequest.value);
  for (const item of parsed.module.staticExports) {
    for (const entry of item.entries) {
      if (entry.moduleRequest) add(entry.start, entry.moduleRequest.value);
    }
  }
  for (const item of parsed.module.dynamicImports) {
    const literal = text.slice(item.moduleRequest.start, item.moduleRequest.end);
    // A computed specifier names no file; only bootstrap.js needs one.
    if (/^(['"])[^'"]*\1$/.test(literal)) add(item.start, literal.slice(1, -1));
  }
  return found;
}

function resolveInProject(file: string, specifier: string): string | undefined {
  if (specifier === '#db-client') return GENERATED_CLIENT;
  for (const [prefix, folder] of SUBPATHS) {
    if (specifier.startsWith(prefix)) return folder + specifier.slice(prefix.length);
  }
  if (!specifier.startsWith('.')) return undefined;
  return path.posix.join(path.posix.dirname(file), specifier);
}

function isScript(file: string): boolean {
  return /\.(ts|tsx|js)$/.test(file);
}

function areaOf(file: string): Area | undefined {
  return IMPORT_TABLE.find((area) => matchesAny(file, area.files));
}

function matchesAny(file: string, patterns: string[]): boolean {
  return patterns.some((pattern) => patternToRegExp(pattern).test(file));
}

const patternCache = new Map<string, RegExp>();

function patternToRegExp(pattern: string): RegExp {
  const cached = patternCache.get(pattern);
  if (cached) return cached;
  const exact = pattern.endsWith('$');
  const body = (exact ? pattern.slice(0, -1) : pattern)
    .replace(/[.+?^()|[\]\\{}]/g, '\\$&')
    .replaceAll('**', '.+')
    .replace(/(?<!\.)\*/g, '[^/]+');
  const expression = new RegExp(`^${body}${exact ? '$' : ''}`);
  patternCache.set(pattern, expression);
  return expression;
}

/** One line for each circle of imports, told from the file that closes it. */
function cycles(edges: Map<string, string[]>): string[] {
  const faults: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (file: string, trail: string[]): void => {
    state.set(file, 'open');
    for (const target of edges.get(file) ?? []) {
      if (state.get(target) === 'open') {
        const circle = [...trail.slice(trail.indexOf(target)), target];
        faults.push(`${file}:1: imports in a circle: ${circle.join(' → ')}`);
      } else if (!state.has(target)) {
        visit(target, [...trail, target]);
      }
    }
    state.set(file, 'done');
  };
  for (const file of edges.keys()) {
    if (!state.has(file)) visit(file, [file]);
  }
  return faults;
}
