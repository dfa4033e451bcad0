'use client';

import { ScreenError } from '../_parts/screen-error.tsx';

export default ScreenError;
