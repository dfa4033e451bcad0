'use client';

import { useEffect, useState } from 'react';
import type { DocsLanguage } from '../_content/docs-language.ts';
import type { Heading } from '../_markdown/document.ts';

/** A heading counts as read from this far below the window's upper edge. */
const READING_LINE_PX = 120;

/** The id of the last heading above the reading line. */
function headingInView(ids: string[]): string | undefined {
  const isAtEnd = window.innerHeight + window.scrollY >= document.body.scrollHeight - 2;
  if (isAtEnd && window.scrollY > 0) return ids.at(-1);
  return ids.findLast((id) => {
    const top = document.getElementById(id)?.getBoundingClientRect().top;
    return top !== undefined && top <= READING_LINE_PX;
  });
}

/** The contents of a page; the section in view is marked. */
export function Toc({
  headings,
  label,
  language,
}: {
  headings: Heading[];
  label: string;
  /** The language of the headings. */
  language: DocsLanguage;
}) {
  const [here, setHere] = useState<string>();
  useEffect(() => {
    const ids = headings.map(({ id }) => id);
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setHere(headingInView(ids)));
    };
    look();
    addEventListener('scroll', look, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', look);
    };
  }, [headings]);
  return (
    <nav aria-label={label}>
      <ul className="docs-toc" lang={language}>
        {headings.map(({ id, depth, text }) => (
          <li key={id} className={depth > 2 ? 'pl-4' : undefined}>
            <a href={`#${id}`} aria-current={here === id ? 'location' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
