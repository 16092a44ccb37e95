export const VARIABLE: string;
export interface OwnPicture { width: number; scheme: 'light' | 'dark'; address: string }
export interface Pair { peer: string; name: string; address: string; own: OwnPicture | undefined }
export function pairs(folder: string, own: OwnPicture[]): Pair[];
export function comparisonPage(own: OwnPicture[], folder: string | undefined): string;
