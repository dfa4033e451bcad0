import { NAMES } from './report.ts';
import { KINDS, median, type Sample, samplesOf, type Variant } from './samples.ts';

const SHOWN: Variant[] = ['next', 'bare', 'alone', 'gateway'];
const WIDTH = 760;
const BAR_HEIGHT = 22;
const ROW = 32;
const LABELS = 190;
const FIGURES = 80;
const TITLE = 40;

function panel(samples: Sample[], kind: (typeof KINDS)[number], top: number): string {
  const speeds = SHOWN.map((variant) =>
    median(samplesOf(samples, kind, variant).map(({ perSecond }) => perSecond)),
  );
  const most = Math.max(...speeds);
  const rows = SHOWN.map((variant, index) => {
    const speed = speeds[index] ?? 0;
    const y = top + TITLE + index * ROW;
    const width = Math.max(2, (speed / most) * (WIDTH - LABELS - FIGURES));
    const shown = Math.round(speed).toLocaleString('en');
    const look = variant === 'gateway' ? 'ours' : 'other';
    return (
      `<text x="${LABELS - 12}" y="${y + 16}" text-anchor="end">${NAMES[variant]}</text>` +
      `<rect class="${look}" x="${LABELS}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="4"/>` +
      `<text x="${(LABELS + width + 8).toFixed(1)}" y="${y + 16}">${shown}</text>`
    );
  });
  const title = `<text class="title" x="${LABELS}" y="${top + 26}">${kind}, requests a second</text>`;
  return title + rows.join('');
}

/** A chart of the medians for the README, readable on light and dark pages. */
export function chartOf(samples: Sample[]): string {
  const height = KINDS.length * (TITLE + SHOWN.length * ROW + 12);
  const panels = KINDS.map((kind, index) =>
    panel(samples, kind, index * (TITLE + SHOWN.length * ROW + 12)),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Requests a second of the gateway and of others">
<style>text{font:14px system-ui,sans-serif;fill:#475569}.title{font-weight:600}.ours{fill:#4f46e5}.other{fill:#94a3b8}
@media (prefers-color-scheme:dark){text{fill:#cbd5e1}.ours{fill:#818cf8}.other{fill:#475569}}</style>
${panels.join('\n')}
</svg>
`;
}
