;;; pushhost.el --- Push notifications: edit, check and play payloads  -*- lexical-binding: t -*-

;; Version: 1.0.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools

;;; Commentary:

;; `apns-mode' edits the payloads of push notifications with the language server of pushhost, which marks mistakes,
;; completes, explains, corrects and renames through Eglot.  This package adds what Eglot does not show: the lenses of a
;; payload, and a buffer with the drawing of the notification.
;;
;;     (add-to-list 'load-path "/path/to/protocol/clients/emacs")
;;     (require 'pushhost)
;;     (add-hook 'apns-mode-hook #'eglot-ensure)

;;; Code:

(require 'browse-url)
(require 'eglot)
(require 'js)

(defgroup pushhost nil
  "Push notifications without a phone."
  :group 'tools)

(defcustom pushhost-program "pushhost"
  "The program: a name in the variable `exec-path', or a path."
  :type 'string)

(defcustom pushhost-arguments nil
  "Options of `pushhost lsp', such as \"--plugins\" and a folder of bundles."
  :type '(repeat string))

(defface pushhost-lens '((t :inherit (shadow button) :height 0.9))
  "What the lenses look like.")

;;;###autoload
(define-derived-mode apns-mode js-mode "APNs"
  "Edit the payload of a push notification."
  (setq-local js-indent-level 2))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.apns\\(?:\\.json\\)?\\'" . apns-mode))

(defun pushhost--contact (&rest _)
  "Return the command line of the language server."
  `(,pushhost-program "lsp" ,@pushhost-arguments))

(add-to-list 'eglot-server-programs '(apns-mode . pushhost--contact))

;;; Commands

(defvar-local pushhost--source nil
  "The buffer that a buffer of results is about.")

(defvar-local pushhost--command nil
  "The command whose result the buffer shows.")

(define-derived-mode pushhost-result-mode special-mode "pushhost"
  "Show what a command of pushhost found; \\[revert-buffer] runs it again."
  (setq-local truncate-lines t
              revert-buffer-function (lambda (&rest _) (pushhost--show pushhost--command pushhost--source))))

(defun pushhost--is-ours (server)
  "Return whether SERVER is one of pushhost."
  (equal (plist-get (eglot--server-info server) :name) "pushhost"))

(defun pushhost--server ()
  "Return the server of this buffer, or one of another buffer."
  (or (eglot-current-server)
      (seq-find #'pushhost--is-ours (apply #'append (hash-table-values eglot--servers-by-project)))
      (user-error "No language server; M-x eglot starts it in a payload")))

(defun pushhost--execute (command)
  "Run COMMAND for this buffer and return its result."
  (when (eglot-current-server)
    ;; What was typed last may still wait to be sent.
    (eglot--signal-textDocument/didChange))
  (let ((uri (plist-get (eglot--TextDocumentIdentifier) :uri)))
    (jsonrpc-request (pushhost--server) :workspace/executeCommand
                     `(:command ,command :arguments [,uri (:show :json-false)])
                     :timeout 600)))

(defun pushhost--show (command source)
  "Run COMMAND for the buffer SOURCE, and show its text in a buffer of its own."
  (unless (buffer-live-p source)
    (user-error "The payload's buffer is gone"))
  (let ((text (plist-get (with-current-buffer source (pushhost--execute command)) :text))
        (buffer (get-buffer-create (format "*%s %s*" command (buffer-name source)))))
    (with-current-buffer buffer
      (let ((inhibit-read-only t) (line (line-number-at-pos)))
        (erase-buffer)
        (insert text)
        (goto-char (point-min))
        (forward-line (1- line)))
      (unless (derived-mode-p 'pushhost-result-mode)
        (pushhost-result-mode))
      (setq pushhost--source source
            pushhost--command command))
    (display-buffer buffer)
    buffer))

;;;###autoload
(defun pushhost-push ()
  "Play the notification in this buffer, and show its drawing."
  (interactive)
  (pushhost--show "pushhost.push" (current-buffer)))

;;;###autoload
(defun pushhost-check ()
  "Check this payload, or the bundle of this `Info.plist', and show the report."
  (interactive)
  (pushhost--show "pushhost.check" (current-buffer)))

;;;###autoload
(defun pushhost-replay ()
  "Replay the session in this buffer, and show how it went."
  (interactive)
  (pushhost--show "pushhost.replay" (current-buffer)))

;;;###autoload
(defun pushhost-record ()
  "Record a session of this payload beside its file, and visit it."
  (interactive)
  (let ((uri (plist-get (pushhost--execute "pushhost.record") :uri)))
    (find-file-other-window (decode-coding-string (url-unhex-string (string-remove-prefix "file://" uri)) 'utf-8))))

;;;###autoload
(defun pushhost-preview ()
  "Show the file of this payload in the browser, as a phone would."
  (interactive)
  (when (and (buffer-modified-p) (y-or-n-p "The browser shows the file; save the changes first? "))
    (save-buffer))
  (browse-url (plist-get (pushhost--execute "pushhost.preview") :address)))

;;; Lenses

(defvar-local pushhost--lenses nil
  "The overlays of the lenses of this buffer.")

(defvar-local pushhost--lens-timer nil
  "The timer that asks for the lenses again.")

(defun pushhost-lens-titles ()
  "Return the titles of the lenses of this buffer, in their order."
  (mapcar (lambda (lens) (overlay-get lens 'pushhost-title)) pushhost--lenses))

(defun pushhost--run-lens (command)
  "Do what a lens with COMMAND stands for."
  (let ((function (intern-soft (replace-regexp-in-string "\\." "-" command))))
    (if (commandp function) (call-interactively function) (pushhost--execute command))))

(defun pushhost--draw-lenses (lenses)
  "Replace the buttons of this buffer by those of LENSES, as the server answered."
  (mapc #'delete-overlay pushhost--lenses)
  (setq pushhost--lenses nil)
  (seq-doseq (lens lenses)
    (let* ((command (plist-get lens :command))
           (title (plist-get command :title))
           (place (eglot--lsp-position-to-point (plist-get (plist-get lens :range) :start)))
           (overlay (make-overlay place place))
           (keys (make-sparse-keymap)))
      (define-key keys [mouse-1]
                  (lambda () (interactive) (pushhost--run-lens (plist-get command :command))))
      (overlay-put overlay 'pushhost-title title)
      (overlay-put overlay 'before-string
                   (concat (propertize title 'face 'pushhost-lens 'mouse-face 'highlight 'keymap keys) " "))
      (push overlay pushhost--lenses)))
  (setq pushhost--lenses (nreverse pushhost--lenses))
  ;; The last one ends the line of the buttons.
  (when-let ((last (car (last pushhost--lenses))))
    (overlay-put last 'before-string (concat (overlay-get last 'before-string) "\n"))))

(defun pushhost--ask-for-lenses (buffer)
  "Ask the server of BUFFER for its lenses."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (setq pushhost--lens-timer nil)
      (when-let ((server (eglot-current-server)))
        (jsonrpc-async-request server :textDocument/codeLens
                               `(:textDocument ,(eglot--TextDocumentIdentifier))
                               :success-fn (lambda (lenses)
                                             (when (buffer-live-p buffer)
                                               (with-current-buffer buffer (pushhost--draw-lenses lenses))))
                               :error-fn #'ignore)))))

(defun pushhost--refresh-lenses (&rest _)
  "Ask for the lenses once this buffer has not changed for a moment."
  (when pushhost--lens-timer
    (cancel-timer pushhost--lens-timer))
  (setq pushhost--lens-timer (run-with-timer 0.5 nil #'pushhost--ask-for-lenses (current-buffer))))

(defun pushhost--manage ()
  "Show lenses as long as Eglot manages this buffer with a server of pushhost."
  (let ((server (eglot-current-server)))
    (cond ((and server (pushhost--is-ours server))
           (add-hook 'after-change-functions #'pushhost--refresh-lenses nil t)
           ;; Eglot opens the document in the server after this hook.
           (run-with-timer 0 nil #'pushhost--ask-for-lenses (current-buffer)))
          (t
           (remove-hook 'after-change-functions #'pushhost--refresh-lenses t)
           (pushhost--draw-lenses nil)))))

(add-hook 'eglot-managed-mode-hook #'pushhost--manage)

(provide 'pushhost)
;;; pushhost.el ends here
