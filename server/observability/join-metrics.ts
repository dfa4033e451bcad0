import type { ProcessReport } from './web-messages.ts';

const NAME = /^([A-Za-z_:][\w:]*)(\{)?/;

function withProcess(line: string, process: number): string {
  return line.replace(NAME, (_, name: string, brace: string | undefined) => {
    return `${name}{process="${process}"${brace ? ',' : '}'}`;
  });
}

/**
 * The metrics of several processes as one text: each series with a label `process`, each metric's
 * series stay together, as the format demands.
 *
 * They are not summed: a sum of counters would fall when one process dies. Prometheus takes a fall
 * for a restart and would count the other processes' totals a second time.
 */
export function joinMetrics(reports: readonly ProcessReport[]): string {
  const families = new Map<string, { head: Set<string>; samples: string[] }>();
  for (const { process, text } of reports) {
    let samples: string[] = [];
    for (const line of text.split('\n')) {
      if (line.startsWith('# ')) {
        const name = line.split(' ', 3)[2] ?? '';
        const family = families.get(name) ?? { head: new Set(), samples: [] };
        families.set(name, family);
        family.head.add(line);
        samples = family.samples;
      } else if (line !== '') {
        samples.push(withProcess(line, process));
      }
    }
  }
  const texts = [...families.values()].map(({ head, samples }) => [...head, ...samples].join('\n'));
  return `${texts.join('\n')}\n`;
}
