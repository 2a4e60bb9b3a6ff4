/** The source of a regular expression (flag `u`) for a name in an expression, such as `größe` in `${größe}`. */
export const variableName = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
