/** A sentence that must be true, and whether it is. */
export type Finding = [sentence: string, holds: boolean];

export type Figures = {
  title: string;
  findings: Finding[];
  figures: Record<string, string>;
};

/** A Markdown table, which is readable in a terminal too. */
export function toTable(scenarios: readonly Figures[]): string {
  const rows = scenarios.map(({ title, findings, figures }) => {
    const broken = findings.filter(([, holds]) => !holds).map(([sentence]) => sentence);
    const verdict = broken.length === 0 ? 'all hold' : `BROKEN: ${broken.join('; ')}`;
    const measured = Object.entries(figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ');
    return `| ${title} | ${findings.length} | ${verdict} | ${measured} |`;
  });
  return ['| faults | promises | result | measured |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
