import { mkdirSync, writeFileSync } from 'node:fs';

/** One figure beside its bar: a lower or an upper limit. */
export type Verdict = {
  name: string;
  measured: number;
  /** The rounds' spread, in words. */
  spread: string;
  bar: number;
  isLimit: boolean;
};

const RESULTS = 'bench/results';

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function isMet({ measured, bar, isLimit }: Verdict): boolean {
  return isLimit ? measured <= bar : measured >= bar;
}

/** The lowest and the highest of some rounds, in words. */
export function spreadOf(values: number[]): string {
  return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;
}

/** Formats rows of cells: the first column aligned to the left, the others to the right. */
export function aligned(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  return rows
    .map((cells) =>
      cells
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

/** Every figure with its spread and its bar. */
export function verdictTable(verdicts: Verdict[]): string {
  const rows = verdicts.map((each) => [
    each.name,
    each.measured.toFixed(2),
    each.spread,
    `${each.isLimit ? '≤' : '≥'} ${each.bar}`,
    isMet(each) ? 'met' : 'MISSED',
  ]);
  return aligned([['', 'measured', 'rounds', 'bar', ''], ...rows]);
}

/** Stores the measurements in a file, and reports its path. */
export function keep(name: string, result: object): void {
  const at = new Date().toISOString();
  const file = `${RESULTS}/${name}-${at.replaceAll(/[:.]/g, '-')}.json`;
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ at, ...result }, null, 2)}\n`);
  say(`written: ${file}`);
}

/** Passes the figures to `npm run bench`; run alone, exits with an error if a bar is missed. */
export function settle(verdicts: Verdict[]): void {
  if (process.send !== undefined) {
    process.send(verdicts, () => process.disconnect());
    return;
  }
  if (!verdicts.every(isMet)) process.exitCode = 1;
}
