import { ScreenLoading } from '../_shell/screen-loading.tsx';

export default ScreenLoading;
