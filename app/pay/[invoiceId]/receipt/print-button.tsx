'use client';

import type { ReactNode } from 'react';
import { PressButton } from '#app/_ui/press-button.tsx';

export function PrintButton({ children }: { children: ReactNode }) {
  return (
    <PressButton className="button button-plain needs-script" onClick={() => window.print()}>
      {children}
    </PressButton>
  );
}
