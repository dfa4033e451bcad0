import { translatorOf } from '#server/i18n/translator.ts';
import type { DocsLanguage } from '../_content/docs-language.ts';

const BOX_HEIGHT = 56;

type Box = { name: string; code: number; x: number; y: number; width: number };
type Label = 'create' | 'pays' | 'paysShort' | 'expires' | 'cancelShort';
/** A way's label is a word of the catalogue, or the name of a field or a request. */
type Way = {
  path: string;
  label: Label | 'end_date' | 'POST /invoice/cancel';
  x: number;
  y: number;
  anchor: 'start' | 'middle';
};

/** The same picture for two widths: words must stay readable on a phone. */
type Layout = { name: string; className: string; viewBox: string; boxes: Box[]; ways: Way[] };

const WIDE: Layout = {
  name: 'wide',
  className: 'docs-picture hidden sm:block',
  viewBox: '-16 0 626 280',
  boxes: [
    { name: 'PENDING', code: 1, x: 62, y: 112, width: 150 },
    { name: 'PAID', code: 2, x: 440, y: 20, width: 150 },
    { name: 'EXPIRED', code: 3, x: 440, y: 112, width: 150 },
    { name: 'CANCELED', code: 4, x: 440, y: 204, width: 150 },
  ],
  ways: [
    { path: 'M-14 140H56', label: 'create', x: -14, y: 126, anchor: 'start' },
    {
      path: 'M212 140C252 140 232 48 282 48H436',
      label: 'pays',
      x: 288,
      y: 38,
      anchor: 'start',
    },
    { path: 'M212 140H436', label: 'expires', x: 288, y: 130, anchor: 'start' },
    {
      path: 'M212 140C252 140 232 232 282 232H436',
      label: 'POST /invoice/cancel',
      x: 288,
      y: 222,
      anchor: 'start',
    },
  ],
};

const NARROW: Layout = {
  name: 'narrow',
  className: 'docs-picture block sm:hidden',
  viewBox: '0 0 320 262',
  boxes: [
    { name: 'PENDING', code: 1, x: 95, y: 44, width: 130 },
    { name: 'PAID', code: 2, x: 0, y: 200, width: 100 },
    { name: 'EXPIRED', code: 3, x: 110, y: 200, width: 100 },
    { name: 'CANCELED', code: 4, x: 220, y: 200, width: 100 },
  ],
  ways: [
    { path: 'M160 4V40', label: 'create', x: 172, y: 24, anchor: 'start' },
    {
      path: 'M160 100C160 130 50 120 50 160V196',
      label: 'paysShort',
      x: 50,
      y: 118,
      anchor: 'middle',
    },
    { path: 'M160 100V196', label: 'end_date', x: 168, y: 166, anchor: 'start' },
    {
      path: 'M160 100C160 130 270 120 270 160V196',
      label: 'cancelShort',
      x: 268,
      y: 118,
      anchor: 'middle',
    },
  ],
};

/** Names of a field and a request. */
const WRITTEN_AS_IS = new Set<Way['label']>(['end_date', 'POST /invoice/cancel']);

function StatusBox({ name, x, y, width, status }: Box & { status: string }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className="docs-state" width={width} height={BOX_HEIGHT} rx="12" />
      <text className="docs-state-name" x={width / 2} y="25" textAnchor="middle">
        {name}
      </text>
      <text className="docs-state-code" x={width / 2} y="43" textAnchor="middle">
        {status}
      </text>
    </g>
  );
}

function Picture({ layout, language }: { layout: Layout; language: DocsLanguage }) {
  const { name, className, viewBox, boxes, ways } = layout;
  const t = translatorOf(language, 'docs.life');
  const arrow = `life-arrow-${name}`;
  return (
    <svg className={className} viewBox={viewBox} role="img" aria-label={t('meaning')}>
      <defs>
        <marker
          id={arrow}
          viewBox="0 0 10 10"
          refX="9"
          refY="5"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path className="docs-arrow-head" d="M0 0 10 5 0 10z" />
        </marker>
      </defs>
      {ways.map(({ path, label, x, y, anchor }) => (
        <g key={label}>
          <path className="docs-arrow" d={path} markerEnd={`url(#${arrow})`} />
          <text className="docs-arrow-text" x={x} y={y} textAnchor={anchor}>
            {WRITTEN_AS_IS.has(label) ? label : t(label as Label)}
          </text>
        </g>
      ))}
      {boxes.map((box) => (
        <StatusBox key={box.name} {...box} status={t('status', { code: box.code })} />
      ))}
    </svg>
  );
}

/** The diagram's words for the search. */
export function lifeWords(language: DocsLanguage): string {
  const t = translatorOf(language, 'docs.life');
  return `${t('meaning')} ${t('caption')}`;
}

/** The four statuses and the three ways from the first to the others. */
export function LifeDiagram({ language }: { language: DocsLanguage }) {
  return (
    <figure className="docs-figure">
      <Picture layout={WIDE} language={language} />
      <Picture layout={NARROW} language={language} />
      <figcaption>{translatorOf(language, 'docs.life')('caption')}</figcaption>
    </figure>
  );
}
