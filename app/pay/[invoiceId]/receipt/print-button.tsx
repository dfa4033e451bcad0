'use client';

import type { ReactNode } from 'react';

export function PrintButton({ children }: { children: ReactNode }) {
  return (
    <button
      type="button"
      className="button button-plain needs-script"
      onClick={() => window.print()}
    >
      {children}
    </button>
  );
}
